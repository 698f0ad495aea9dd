#include "dsl/model/build/build_query.h"

#include "dsl/model/build/soft_cost.h"
#include "dsl/model/resolve/language_expression.h"
#include "dsl/model/resolve/variable_ref.h"
#include "dsl/syntax/ast_names.h"
#include "dsl/syntax/query_names.h"
#include "dsl/syntax/spelling.h"

#include <algorithm>
#include <span>

namespace mpf {

namespace {

std::string namesInQuery(const Model &model, std::span<const VarId> variables) {
  std::string names;
  for (const VarId id : variables)
    names += (names.empty() ? "" : ", ") + nameInQuery(model.variable(id).name);
  return names;
}

} // namespace

QueryBuilder::QueryBuilder(BuildContext &context)
    : context_(context), algebra_(context), observed_(context.model.variables.size(), false),
      inScope_(context.model.variables.size(), 0) {
  const Model &model = context.model;
  for (const FactorId id : model.evidence.likelihoods)
    softEvidence_.emplace_back(model.factor(id).scope.front(), id);
  std::ranges::sort(softEvidence_);
  for (const Finding &finding : model.evidence.findings)
    observed_[finding.variable.index()] = true;
}

void QueryBuilder::add(const ast::QueryDecl &decl) {
  ++queryNumber_;
  if (traitsOf(decl.kind).isExpression())
    addExpression(decl);
  else
    addShortForm(decl);
}

bool QueryBuilder::countReferences(SourceRange range, uint64_t count) {
  context_.totals.references += count;
  const uint64_t limit = context_.options.limits.maxQueryEntries;
  if (context_.totals.references <= limit)
    return true;
  context_.beyondLimit(
      range, fmt::format("the queries name {} factors and variables in all, the limit is {}",
                         context_.totals.references, limit));
  return false;
}

void QueryBuilder::finish(const ast::QueryDecl &decl, Query query) {
  const auto [before, isNew] = names_.try_emplace(query.name, context_.at(decl.name.range));
  if (!isNew) {
    context_.error(decl.name.range, "query '{}' is declared twice", excerpt(query.name, 80));
    context_.diagnostics.note(before->second, "first declared here");
    return;
  }
  query.type = decl.type;
  algebra_.checkValues(decl, query);
  query.place = context_.at(decl.name.range);
  context_.model.queries.push_back(std::move(query));
}

void QueryBuilder::addShortForm(const ast::QueryDecl &decl) {
  if (!countReferences(decl.name.range, context_.model.factors.size()))
    return;
  const QueryArguments arguments = traitsOf(decl.kind).arguments;
  std::vector<VarId> output;
  uint64_t samples = 0;
  if (arguments == QueryArguments::Variables) {
    auto variables = resolveVariables(context_, decl.output, "the query");
    if (!variables)
      return;
    output = std::move(*variables);
  }
  if (arguments == QueryArguments::Count) {
    const auto count = foldInteger(context_, decl.sampleCount, "the number of samples", 1,
                                   static_cast<int64_t>(context_.options.limits.maxSamples));
    if (!count)
      return;
    samples = static_cast<uint64_t>(*count);
  }
  auto conditions = resolveConditions(context_, decl.given);
  if (!conditions)
    return;
  Query query = shortQuery(context_.model, decl.kind, std::move(output), samples);
  if (!decl.rows.empty() && !addRows(decl, *conditions, query))
    return;
  if (arguments == QueryArguments::Posteriors && !decl.output.empty() && !askFor(decl, query))
    return;
  // The parenthesis of P(...) stands behind the conditions.
  query.name.insert(query.name.size() - (arguments == QueryArguments::Variables ? 1 : 0),
                    conditions->text);
  query.given = std::move(conditions->given);
  finish(decl, std::move(query));
}

/// Puts the variables of `P(x | y)` whose states have rows before the others, and before the text
/// of the conditions; returns false after reporting.
bool QueryBuilder::addRows(const ast::QueryDecl &decl, Conditions &conditions, Query &query) {
  auto rows = resolveVariables(context_, decl.rows, "the conditions");
  if (!rows)
    return false;
  const auto report = [&](VarId twice, std::string_view what) {
    const auto names = [&](const ast::VarRef &ref) {
      const auto named = resolveVariables(context_, std::span(&ref, 1), "the conditions");
      return named && std::ranges::find(*named, twice) != named->end();
    };
    context_.error(std::ranges::find_if(decl.rows, names)->range,
                   "'{}' is a condition of {}, and {}",
                   excerpt(context_.model.variable(twice).name), excerpt(query.name), what);
    return false;
  };
  for (const VarId id : *rows)
    if (std::ranges::find(query.output, id) != query.output.end())
      return report(id, "asked for");
  for (const Observation &seen : conditions.given)
    if (std::ranges::find(*rows, seen.variable) != rows->end())
      return report(seen.variable, "has a state there");
  if (rows->empty())
    return true;
  if (!conditions.text.empty())
    conditions.text.replace(0, std::string_view(" |").size(), ",");
  conditions.text.insert(0, " | " + namesInQuery(context_.model, *rows));
  query.rowVariables = static_cast<uint32_t>(rows->size());
  query.output.insert(query.output.begin(), rows->begin(), rows->end());
  return true;
}

/// Sets the variables of `marginals(...)`; returns false after reporting.
bool QueryBuilder::askFor(const ast::QueryDecl &decl, Query &query) {
  auto asked = resolveVariables(context_, decl.output, "the query");
  if (!asked)
    return false;
  if (asked->empty()) {
    context_.error(decl.name.range, "the query names no variable");
    return false;
  }
  std::string names;
  for (const ast::VarRef &ref : decl.output)
    names += (names.empty() ? "" : ", ") + std::string(context_.source->text().substr(
                                               ref.range.begin, ref.range.end - ref.range.begin));
  if (!context_.loop.empty())
    names = namesInQuery(context_.model, *asked);
  query.name += '(' + names + ')';
  query.asked = std::move(*asked);
  std::ranges::sort(query.asked);
  return true;
}

std::optional<QueryKind> QueryBuilder::kindOf(const ast::QueryDecl &decl) {
  const auto finds = [](const ast::ReductionClause &clause) {
    return clause.op == ast::ReduceOp::ArgMax || clause.op == ast::ReduceOp::ArgMin;
  };
  const auto found = std::ranges::find_if(decl.reductions, finds);
  if (found == decl.reductions.end())
    return QueryKind::Expression;
  const std::string_view word = ast::reduceName(found->op);
  if (decl.reductions.size() > 1)
    context_.error(found->range,
                   "{} decides all variables of {}: no other reduction stands beside it", word,
                   excerpt(decl.name.text));
  else if (!decl.output.empty())
    context_.error(decl.output.front().range,
                   "{} decides all variables of {}: none can be free, {} and {} can have such",
                   word, excerpt(decl.name.text), ast::reduceName(ast::ReduceOp::Max),
                   ast::reduceName(ast::ReduceOp::Min));
  else
    return QueryKind::Optimum;
  return std::nullopt;
}

void QueryBuilder::addExpression(const ast::QueryDecl &decl) {
  const std::optional<QueryKind> kind = kindOf(decl);
  if (!kind)
    return;
  Query query;
  query.kind = *kind;
  query.name = decl.name.text;
  for (const LoopIndex &index : context_.loop)
    query.name += fmt::format("[{}]", index.value);
  auto factors = resolveProduct(decl);
  auto output = decl.output.empty()
                    ? std::optional(std::vector<VarId>())
                    : resolveVariables(context_, decl.output,
                                       fmt::format("the result of {}", excerpt(query.name)));
  if (!factors || !output)
    return;
  query.factors = std::move(*factors);
  query.output = std::move(*output);
  const auto combine = algebra_.combineOf(decl, query.factors);
  if (!combine)
    return;
  query.combine = *combine;
  if (!collectScope(decl, query) || !addSoftEvidence(decl, query) ||
      !resolveReductions(decl, query) || !checkFree(decl, query))
    return;
  finish(decl, std::move(query));
}

bool QueryBuilder::collectScope(const ast::QueryDecl &decl, const Query &query) {
  uint64_t entries = 0;
  for (const FactorId id : query.factors)
    entries += context_.model.factor(id).scope.size();
  if (!countReferences(decl.name.range, entries))
    return false;
  scope_.clear();
  for (const FactorId id : query.factors)
    for (const VarId variable : context_.model.factor(id).scope)
      if (inScope_[variable.index()] != queryNumber_) {
        inScope_[variable.index()] = queryNumber_;
        scope_.push_back(variable);
      }
  std::ranges::sort(scope_);
  return true;
}

bool QueryBuilder::addSoftEvidence(const ast::QueryDecl &decl, Query &query) {
  std::vector<FactorId> added;
  for (const VarId variable : scope_) {
    const auto found =
        std::ranges::equal_range(softEvidence_, variable, {}, &std::pair<VarId, FactorId>::first);
    for (const auto &[owner, id] : found)
      if (!std::ranges::binary_search(query.factors, id))
        added.push_back(id);
  }
  if (!added.empty())
    if (const std::string fault = softCostFault(context_.model, query,
                                                context_.model.factor(added.front()).scope.front());
        !fault.empty()) {
      context_.error(decl.name.range, "{}", fault);
      return false;
    }
  query.factors.insert(query.factors.end(), added.begin(), added.end());
  std::ranges::sort(query.factors);
  return true;
}

bool QueryBuilder::resolveReductions(const ast::QueryDecl &decl, Query &query) {
  std::vector<VarId> named = query.output;
  const ast::ReductionClause *rest = nullptr;
  for (const ast::ReductionClause &clause : decl.reductions) {
    QueryReduction reduction{reduceOf(clause.op), {}};
    if (clause.variables.empty()) {
      if (rest) {
        context_.error(clause.range, "only one reduction can stand for all other variables");
        return false;
      }
      rest = &clause;
    } else {
      auto variables = resolveVariables(context_, clause.variables,
                                        fmt::format("the reductions of {}", excerpt(query.name)));
      if (!variables)
        return false;
      reduction.variables = std::move(*variables);
    }
    named.insert(named.end(), reduction.variables.begin(), reduction.variables.end());
    query.reductions.push_back(std::move(reduction));
  }
  std::ranges::sort(named);
  const auto twice = std::ranges::adjacent_find(named);
  if (twice != named.end()) {
    context_.error(decl.name.range, "'{}' has two roles in {}: a variable is free or reduced once",
                   excerpt(context_.model.variable(*twice).name), excerpt(query.name));
    return false;
  }
  reduceAuxiliaries(query);
  if (!rest)
    return true;
  if (!countReferences(rest->range, scope_.size()))
    return false;
  std::vector<VarId> &others =
      query.reductions[static_cast<size_t>(rest - decl.reductions.data())].variables;
  std::ranges::set_difference(scope_, named, std::back_inserter(others));
  return true;
}

/// Adds the auxiliary variables of a noisy-max to the last reduction (noisy_table.h). A reduction
/// like `sum()` already includes them.
void QueryBuilder::reduceAuxiliaries(Query &query) {
  std::vector<VarId> auxiliaries;
  std::ranges::copy_if(scope_, std::back_inserter(auxiliaries),
                       [this](VarId id) { return context_.model.variable(id).auxiliary; });
  if (auxiliaries.empty() || std::ranges::any_of(query.reductions, [](const QueryReduction &one) {
        return one.variables.empty();
      }))
    return;
  if (query.reductions.empty()) {
    if (query.combine != Combine::Times)
      return context_.error(query.place.range,
                            "{} adds its factors and reduces nothing: a noisy-max among them has "
                            "no table; write min(), max() or logsum(), or its table",
                            excerpt(query.name, 80));
    query.reductions.push_back({Reduce::Sum, {}});
  }
  std::vector<VarId> &last = query.reductions.back().variables;
  last.insert(last.end(), auxiliaries.begin(), auxiliaries.end());
}

bool QueryBuilder::checkFree(const ast::QueryDecl &decl, const Query &query) {
  bool ok = true;
  std::vector<VarId> named = query.output;
  for (const VarId id : query.output)
    if (inScope_[id.index()] != queryNumber_) {
      context_.error(decl.name.range, "'{}' is a variable of {}, but of none of its factors",
                     excerpt(context_.model.variable(id).name), excerpt(query.name));
      ok = false;
    }
  for (size_t i = 0; i < query.reductions.size(); ++i) {
    for (const VarId id : query.reductions[i].variables) {
      named.push_back(id);
      if (inScope_[id.index()] != queryNumber_ && ok) {
        context_.error(i < decl.reductions.size() ? decl.reductions[i].range : decl.name.range,
                       "'{}' is reduced, but no factor of {} depends on it",
                       excerpt(context_.model.variable(id).name), excerpt(query.name));
        ok = false;
      }
    }
  }
  std::ranges::sort(named);
  std::vector<VarId> open;
  std::ranges::set_difference(scope_, named, std::back_inserter(open));
  // An observed variable has one value and may be omitted.
  std::erase_if(open, [&](VarId id) { return observed_[id.index()]; });
  if (open.empty())
    return ok;
  const std::string first = excerpt(context_.model.variable(open.front()).name);
  const std::string others = open.size() == 1 ? "" : fmt::format(" and {} more", open.size() - 1);
  context_.error(decl.name.range,
                 "'{}'{} in the factors of {} is neither free nor reduced: write {}({}) or sum({})",
                 first, others, excerpt(query.name), excerpt(query.name),
                 query.output.empty() ? first : "..., " + first, first);
  return false;
}

} // namespace mpf
