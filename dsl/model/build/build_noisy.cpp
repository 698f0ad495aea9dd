// `prob P(x | ...) = noisyor(...)`, `noisymax(...)` and `noisymin(...)`.
#include "dsl/model/build/build_factor.h"
#include "dsl/model/declare/read_numbers.h"
#include "dsl/model/mpf_names.h"
#include "dsl/model/resolve/language_expression.h"
#include "dsl/model/resolve/number_array.h"
#include "dsl/model/resolve/variable_ref.h"
#include "dsl/model/truth_words.h"
#include "dsl/support/counts.h"
#include "dsl/support/files/lower_case.h"
#include "dsl/syntax/ast_names.h"
#include "dsl/syntax/spelling.h"

#include <algorithm>
#include <bit>
#include <string_view>

namespace mpf {

namespace {

bool isWord(const std::string &label, std::string_view WordPair::*word) {
  return std::ranges::find(kPresenceWords, lowerCase(label), word) != kPresenceWords.end();
}

/// Whether the labels mean that the second state is the absence.
bool isTurnedRound(const Variable &variable) {
  return variable.labels.size() == 2 && (isWord(variable.labels[0], &WordPair::present) ||
                                         isWord(variable.labels[1], &WordPair::absent));
}

/// Reports a variable that a noisy-or cannot use. It needs two states: absence, then presence.
bool requireTwoStates(BuildContext &context, SourceRange range, VarId id) {
  const Variable &variable = context.model.variable(id);
  if (variable.extent != 2) {
    context.errorWithHint(range,
                          fmt::format("'{}' has {} states, a noisyor is of variables with 2",
                                      excerpt(variable.name), variable.extent),
                          "noisymax takes a table for each cause, with a row for each of its "
                          "states");
    return false;
  }
  if (!isTurnedRound(variable))
    return true;
  context.errorWithHint(
      range,
      fmt::format("noisyor takes the first state as absent and the second as present, '{}' has "
                  "{{ {}, {} }}",
                  excerpt(variable.name), excerpt(variable.labels[0]), excerpt(variable.labels[1])),
      fmt::format("declare {{ {}, {} }}, or write noisymax, whose states rise as declared",
                  spellName(variable.labels[1]), spellName(variable.labels[0])));
  return false;
}

/// `what` returns the name of the value, for a message.
template <class What>
bool requireProbability(BuildContext &context, SourceRange range, const What &what, double value) {
  if (value >= 0 && value <= 1)
    return true;
  context.error(range, "{} is {}, a probability is from 0 to 1", what(), value);
  return false;
}

std::vector<double> twoStates(double present) { return {1 - present, present}; }

} // namespace

bool FactorBuilder::roomForChain(SourceRange range, size_t causes) {
  const ModelLimits &limits = context_.options.limits;
  if (context_.model.factors.size() + causes >= limits.maxFactors ||
      context_.model.variables.size() + causes > limits.maxVariables ||
      context_.totals.scopeEntries + 3 * causes + 1 > limits.maxScopeEntries) {
    context_.beyondLimit(
        range, fmt::format("the tables of {} causes exceed the limits of a model: {} factors, {} "
                           "variables, {} entries of scopes",
                           causes, limits.maxFactors, limits.maxVariables, limits.maxScopeEntries));
    return false;
  }
  context_.totals.scopeEntries += 3 * causes + 1;
  return true;
}

bool FactorBuilder::requireDoubles(const ast::Value &value, const TableOwner &owner,
                                   std::span<const double> stored) {
  const bool areDoubles = stored.size() == scopeElems(context_.model, owner.scope);
  if (!areDoubles)
    context_.error(value.range, "{} has an entry that no double holds, which a noisy-max cannot",
                   owner.name);
  return areDoubles;
}

TableValues FactorBuilder::constantTable(const ast::Value &value, const TableOwner &owner) {
  const auto table = tables_.build(value, owner);
  if (!table)
    return nullptr;
  if (table->formula) {
    context_.error(value.range, "{} depends on params that cases set, which a noisy-max cannot",
                   owner.name);
    return nullptr;
  }
  if (!requireDoubles(value, owner, *table->values))
    return nullptr;
  const size_t errorsBefore = context_.diagnostics.errorCount();
  TableValues values = table->values;
  checkRows(value, owner, values, false);
  if (!requireDoubles(value, owner, *values))
    return nullptr;
  return context_.diagnostics.errorCount() == errorsBefore ? values : nullptr;
}

/// Returns the numbers of a noisyor, one for each of `count` causes. Nothing after reporting.
std::optional<std::vector<double>> FactorBuilder::noisyNumbers(const ast::NoisyValue &value,
                                                               size_t count) {
  const ast::Value &given = value.causes.front();
  const auto *expr = std::get_if<ast::Expr>(&given.node);
  if (value.causes.size() == 1 && expr != nullptr && !isArray(context_, *expr)) {
    const auto number = foldNumber(context_, *expr, "the number of all causes", ParamUse::Constant);
    return number ? std::optional(std::vector<double>(count, *number)) : std::nullopt;
  }
  std::string has;
  if (value.causes.size() == 1 && !std::holds_alternative<ast::MapLiteral>(given.node) &&
      !std::holds_alternative<ast::ExpValue>(given.node)) {
    const auto read = readNumbers(context_, {"list", "", {std::nullopt}, {nullptr}}, given);
    if (!read)
      return std::nullopt;
    if (read->values->size() == count)
      return *read->values;
    has = fmt::format("; this one has {}", read->values->size());
  }
  context_.errorWithHint(
      given.range,
      fmt::format("noisyor needs a list of {}, one number for each cause{}", count, has),
      count == 1 ? "noisyor(leak = 0.01, [0.9])" : "noisyor(leak = 0.01, [0.9, 0.8, ...])");
  return std::nullopt;
}

/// Adds the numbers of a noisyor: one for each cause, or one for all.
bool FactorBuilder::addNumbers(const ast::NoisyValue &value, NoisyMax &noisy) {
  const auto numbers = noisyNumbers(value, noisy.causes.size());
  for (size_t i = 0; numbers && i < numbers->size(); ++i) {
    const std::string &cause = context_.model.variable(noisy.causes[i]).name;
    const double number = (*numbers)[i];
    const auto what = [&] { return fmt::format("what '{}' brings about alone", excerpt(cause)); };
    if (!requireProbability(context_, value.causes.front().range, what, number))
      return false;
    const bool isRepeated =
        i > 0 && std::bit_cast<uint64_t>(number) == std::bit_cast<uint64_t>((*numbers)[i - 1]);
    noisy.tables.push_back(isRepeated ? noisy.tables.back()
                                      : context_.tables.intern({1, 0, 1 - number, number}));
  }
  return numbers.has_value();
}

/// Returns the tables of the causes, one for all, or one for each. An array with three axes has one
/// for each along its first axis. Nothing after reporting.
std::optional<std::vector<ast::Value>> FactorBuilder::causeTables(const ast::NoisyValue &value) {
  const auto *expr = std::get_if<ast::Expr>(&value.causes.front().node);
  if (value.causes.size() > 1 || expr == nullptr || !isArray(context_, *expr))
    return value.causes;
  const auto view = resolveArray(context_, *expr);
  if (!view)
    return std::nullopt;
  if (view->axesLeft() != 3)
    return value.causes;
  std::vector<ast::Value> tables;
  for (uint64_t i = 0; i < view->length(0); ++i) {
    ast::Expr index, entry = *expr;
    index.range = expr->range;
    index.number = static_cast<double>(i);
    entry.children.push_back(std::move(index));
    tables.push_back({expr->range, {std::move(entry)}});
  }
  return tables;
}

/// Adds the tables of a noisymax or noisymin: one for each cause, or one for all.
bool FactorBuilder::addCauseTables(const ast::NoisyValue &value, NoisyMax &noisy) {
  const auto tables = causeTables(value);
  if (!tables)
    return false;
  const size_t given = tables->size(), count = noisy.causes.size();
  if (given != 1 && given != count) {
    context_.errorWithHint(
        value.range,
        fmt::format("{} has {} tables for {} causes", ast::noisyName(value.kind), given, count),
        "a table for each cause, or one for all: a row for each state of the "
        "cause, with a number for each state of the effect");
    return false;
  }
  bool ok = true;
  for (size_t i = 0; i < count && (ok || given != 1); ++i) {
    const VarId cause = noisy.causes[i];
    const ast::Value &written = (*tables)[given == 1 ? 0 : i];
    const TableOwner owner{
        fmt::format("the effect of '{}' alone", excerpt(context_.model.variable(cause).name)),
        {cause, noisy.effect},
        written.range};
    noisy.tables.push_back(constantTable(written, owner));
    ok &= noisy.tables.back() != nullptr;
  }
  return ok;
}

std::optional<NoisyMax> FactorBuilder::noisyMax(const ast::ProbDecl &decl,
                                                const ast::NoisyValue &value) {
  NoisyMax noisy;
  const auto effect = resolveVariable(context_, decl.child);
  if (!effect)
    return std::nullopt;
  noisy.effect = *effect;
  if (decl.parents.empty()) {
    context_.error(value.range, "{} without causes: they stand behind '|', as in P(y | a, b)",
                   ast::noisyName(value.kind));
    return std::nullopt;
  }
  std::vector<ast::VarRef> refs = decl.parents;
  refs.push_back(decl.child);
  auto scope = resolveVariables(context_, refs, fmt::format("P({} | ...)", decl.child.name.text));
  if (!scope || !roomForChain(decl.head, scope->size() - 1))
    return std::nullopt;
  scope->pop_back();
  noisy.causes = std::move(*scope);
  const size_t states = context_.model.variable(*effect).extent;
  noisy.takesLowest = value.kind == ast::NoisyKind::Min;
  noisy.leak.assign(states, 0);
  (noisy.takesLowest ? noisy.leak.back() : noisy.leak.front()) = 1;
  if (value.kind != ast::NoisyKind::Or) {
    if (!value.leak.empty()) {
      const TableValues leak =
          constantTable(value.leak.front(), {"the leak", {*effect}, value.leak.front().range});
      if (!leak)
        return std::nullopt;
      noisy.leak = *leak;
    }
    return addCauseTables(value, noisy) ? std::optional(std::move(noisy)) : std::nullopt;
  }
  bool ok = requireTwoStates(context_, decl.child.range, *effect);
  const DomainInfo *checked = nullptr; // causes mostly share a domain
  for (size_t i = 0; i < noisy.causes.size() && ok; ++i)
    if (const DomainInfo *domain = context_.domains[noisy.causes[i].index()].get();
        domain != checked) {
      ok = requireTwoStates(context_, decl.head, noisy.causes[i]);
      checked = domain;
    }
  if (!ok)
    return std::nullopt;
  if (!value.leak.empty()) {
    const auto *expr = std::get_if<ast::Expr>(&value.leak.front().node);
    if (expr == nullptr) {
      context_.errorWithHint(value.leak.front().range, "the leak of a noisyor is one number",
                             "noisyor(leak = 0.01, [0.9, 0.8])");
      return std::nullopt;
    }
    const auto leak = foldNumber(context_, *expr, "the leak", ParamUse::Constant);
    if (!leak || !requireProbability(
                     context_, expr->range, [] { return "the leak"; }, *leak))
      return std::nullopt;
    noisy.leak = twoStates(*leak);
  }
  return addNumbers(value, noisy) ? std::optional(std::move(noisy)) : std::nullopt;
}

void FactorBuilder::addNoisy(const ast::ProbDecl &decl, const ast::NoisyValue &value) {
  const std::string family = probName(decl.child.name.text);
  const std::optional<NoisyMax> noisy = noisyMax(decl, value);
  if (!noisy)
    return context_.factors.declareBroken(family);
  const uint64_t elems = chainElems(*noisy), left = context_.options.limits.maxTotalElems;
  if (elems > left - std::min(left, context_.totals.tableElems)) {
    context_.beyondLimit(
        value.range, fmt::format("the tables up to this noisy-max need {} entries, the limit is {}",
                                 saturatingAdd(elems, context_.totals.tableElems), left));
    return context_.factors.declareBroken(family);
  }
  context_.totals.tableElems += elems;
  const std::string name = probName(context_.model.variable(noisy->effect).name);
  const FactorId last(context_.model.factors.size() + noisy->causes.size());
  if (!context_.factors.declare(family, decl.child.indices.size(), name, last,
                                context_.at(decl.head), context_.diagnostics))
    return context_.factors.declareBroken(family);
  addNoisyMax(
      context_.model, *noisy,
      {[this](std::vector<double> &&entries) { return context_.tables.intern(std::move(entries)); },
       [this](const std::string &taken) { return context_.symbols.find(taken) != nullptr; }});
  context_.model.factors.back().family = family;
  context_.domains.resize(context_.model.variables.size());
}

} // namespace mpf
