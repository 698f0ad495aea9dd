#include "dsl/model/build/check_algebra.h"

#include "dsl/model/build/integer_query.h"
#include "dsl/model/tables/build_table.h"
#include "dsl/model/unanswered_query.h"
#include "dsl/support/check.h"
#include "dsl/support/expression/sign_of_expression.h"
#include "dsl/support/numbers/scaled_text.h"
#include "dsl/syntax/spelling.h"

#include <algorithm>
#include <array>
#include <cmath>

namespace mpf {

namespace {

struct Rule {
  ast::ReduceOp op;
  const char *word;
  bool times, plus, both; ///< whether it goes with *, +, and
  const char *partners;   ///< for the message
};

constexpr std::array<Rule, 8> kRules = {{
    {ast::ReduceOp::Sum, "sum", true, false, false, "*"},
    {ast::ReduceOp::LogSum, "logsum", false, true, false, "+"},
    {ast::ReduceOp::Max, "max", true, true, false, "* or +"},
    {ast::ReduceOp::Min, "min", true, true, false, "* or +"},
    {ast::ReduceOp::Any, "any", false, false, true, "and"},
    {ast::ReduceOp::Count, "count", true, false, true, "and or *"},
    {ast::ReduceOp::ArgMax, "argmax", true, true, false, "* or +"},
    {ast::ReduceOp::ArgMin, "argmin", true, true, false, "* or +"},
}};

const Rule &ruleOf(ast::ReduceOp op) {
  for (const Rule &rule : kRules)
    if (rule.op == op)
      return rule;
  MPF_UNREACHABLE("reduction {} has no rule", static_cast<int>(op));
}

const char *signOf(ast::CombineOp op) {
  if (op == ast::CombineOp::Plus)
    return "+";
  return op == ast::CombineOp::And ? "and" : "*";
}

bool allowed(const Rule &rule, ast::CombineOp op) {
  switch (op) {
  case ast::CombineOp::Times:
    return rule.times;
  case ast::CombineOp::Plus:
    return rule.plus;
  case ast::CombineOp::And:
    return rule.both;
  case ast::CombineOp::None:
    break;
  }
  return true;
}

/// Returns a hint for a wrong pair such as `sum ... +`; may be empty.
std::string hintFor(ast::ReduceOp op, ast::CombineOp combine) {
  if (op == ast::ReduceOp::Sum && combine == ast::CombineOp::Plus)
    return "for values given as logs write logsum, for costs min or argmin";
  if (op == ast::ReduceOp::LogSum && combine == ast::CombineOp::Times)
    return "for plain values write sum; a run prints its ln, and a sweep of --query evidence has "
           "ln";
  if (combine == ast::CombineOp::And)
    return "'and' joins 0/1 values under any and count";
  return {};
}

/// Returns the first place with a value for which `isSuch` is true; nothing if there is none.
template <class IsSuch>
std::optional<uint64_t> firstOf(const StoredValues &values, const IsSuch &isSuch) {
  for (uint64_t i = 0; i < values.size(); ++i)
    if (isSuch(values.at(i)))
      return i;
  return std::nullopt;
}

bool uses(const ast::QueryDecl &decl, ast::ReduceOp op) {
  return std::ranges::any_of(decl.reductions, [op](const auto &r) { return r.op == op; });
}

/// Whether the reduction picks one of the values: max, min, argmax or argmin.
bool picks(const ast::ReductionClause &reduction) {
  return reduction.op != ast::ReduceOp::Any &&
         (reduceOf(reduction.op) == Reduce::Max || reduceOf(reduction.op) == Reduce::Min);
}

/// `likelihoods`: those that cases set, beside the ones of the model.
bool hasSoftEvidence(const Model &model, const Factor &factor,
                     std::span<const CaseVariable> likelihoods = {}) {
  const auto isKnown = [&factor](VarId variable) {
    return std::ranges::find(factor.scope, variable) != factor.scope.end();
  };
  const auto isSet = [&](const CaseVariable &set) { return isKnown(set.variable); };
  return std::ranges::any_of(
             model.evidence.likelihoods,
             [&](FactorId id) { return isKnown(model.factor(id).scope.front()); }) ||
         (model.cases && std::ranges::any_of(model.cases->schema().likelihoods, isSet)) ||
         std::ranges::any_of(likelihoods, isSet);
}

} // namespace

std::optional<bool> isVaryingCost(const Model &model, const Query &query,
                                  std::span<const CaseVariable> likelihoods) {
  const auto isOwn = [&](FactorId id) { return !model.evidence.isLikelihood(id); };
  const auto own = std::ranges::find_if(query.factors, isOwn);
  const bool onlyMaxMin = std::ranges::all_of(query.reductions, [](const QueryReduction &one) {
    return one.reduce == Reduce::Max || one.reduce == Reduce::Min;
  });
  if (!traitsOf(query.kind).isExpression() || query.reductions.empty() || !onlyMaxMin ||
      own == query.factors.end() || std::any_of(own + 1, query.factors.end(), isOwn) ||
      !model.factor(*own).formula || isNeverNegative(*model.factor(*own).formula))
    return std::nullopt;
  return !hasSoftEvidence(model, model.factor(*own), likelihoods);
}

void settleVaryingCosts(Model &model, std::span<const CaseVariable> likelihoods) {
  for (Query &query : model.queries)
    if (query.combine == Combine::Plus && isVaryingCost(model, query, likelihoods) == false)
      query.combine = Combine::Times;
}

Reduce reduceOf(ast::ReduceOp op) {
  switch (op) {
  case ast::ReduceOp::Sum:
  case ast::ReduceOp::Count:
    return Reduce::Sum;
  case ast::ReduceOp::LogSum:
    return Reduce::LogSum;
  case ast::ReduceOp::Max:
  case ast::ReduceOp::Any:
  case ast::ReduceOp::ArgMax:
    return Reduce::Max;
  case ast::ReduceOp::Min:
  case ast::ReduceOp::ArgMin:
    break;
  }
  return Reduce::Min;
}

StoredValues AlgebraChecker::storedOf(const Factor &factor) const {
  return {*storedValues(factor), scopeElems(context_.model, factor.scope)};
}

const TableFacts &AlgebraChecker::facts(const Factor &factor) {
  const TableValues &values = storedValues(factor);
  const auto [entry, isNew] = facts_.try_emplace(values.get());
  TableFacts &result = entry->second;
  if (isNew && values) {
    const StoredValues stored = storedOf(factor);
    for (uint64_t i = 0; i < stored.size(); ++i) {
      const double value = stored.mantissa(i); // has the value's sign and is infinite if it is
      result.hasNegative |= value < 0;
      result.hasInfinite |= std::isinf(value);
      result.onlyZeroOne &= value == 0 || value == 1;
    }
    result.onlyZeroOne &= !stored.isWide();
  }
  return result;
}

bool AlgebraChecker::anyFact(std::span<const FactorId> factors, bool TableFacts::*fact) {
  return std::ranges::any_of(factors,
                             [&](FactorId id) { return facts(context_.model.factor(id)).*fact; });
}

std::optional<Combine> AlgebraChecker::combineOf(const ast::QueryDecl &decl,
                                                 std::span<const FactorId> factors) {
  bool ok = true;
  for (const ast::ReductionClause &reduction : decl.reductions) {
    const Rule &rule = ruleOf(reduction.op);
    if (allowed(rule, decl.combine))
      continue;
    context_.errorWithHint(reduction.range,
                           fmt::format("{} does not go with '{}', it goes with {}", rule.word,
                                       signOf(decl.combine), rule.partners),
                           hintFor(reduction.op, decl.combine));
    ok = false;
  }
  if (!ok)
    return std::nullopt;
  if (decl.combine != ast::CombineOp::None)
    return decl.combine == ast::CombineOp::Plus ? Combine::Plus : Combine::Times;
  // The product is one name. A family is a product of its members.
  if (uses(decl, ast::ReduceOp::LogSum)) {
    const auto other = std::ranges::find_if(decl.reductions, [](const auto &reduction) {
      return !allowed(ruleOf(reduction.op), ast::CombineOp::Plus);
    });
    if (other == decl.reductions.end())
      return Combine::Plus;
    context_.error(other->range,
                   "{} and logsum in one query: one needs plain values, the other logs",
                   ruleOf(other->op).word);
    return std::nullopt;
  }
  return factors.size() == 1 && isCost(decl, context_.model.factor(factors.front()))
             ? Combine::Plus
             : Combine::Times;
}

bool AlgebraChecker::isCost(const ast::QueryDecl &decl, const Factor &factor) {
  if (decl.reductions.empty())
    return facts(factor).hasInfinite;
  const bool onlyMaxMin = std::ranges::all_of(decl.reductions, picks);
  if (!onlyMaxMin || !factor.formula || isNeverNegative(*factor.formula))
    return onlyMaxMin && facts(factor).hasNegative;
  return !hasSoftEvidence(context_.model, factor);
}

/// Reports summands of +inf. -inf is allowed: it is the zero of sums that are maximised. +inf would
/// be the zero of sums that are minimised, but tables cannot hold it: it allows no scale.
void AlgebraChecker::checkSummands(const ast::QueryDecl &decl, const Query &query) {
  for (const FactorId id : query.factors) {
    const Factor &factor = context_.model.factor(id);
    if (!storedValues(factor) || !facts(factor).hasInfinite ||
        isSwept(context_.model, factor.formula.get()))
      continue;
    const StoredValues values = storedOf(factor);
    const auto bad = firstOf(values, [](const ScaledNumber &v) { return v.mantissa == kInfinity; });
    if (!bad)
      continue;
    return context_.errorWithHint(
        decl.name.range,
        fmt::format("{} needs values below inf; {} is inf at {}", excerpt(query.name, 80),
                    excerpt(factor.name, 80), entryText(context_.model, factor.scope, *bad)),
        uses(decl, ast::ReduceOp::Min)
            ? "max() of the negated values takes -inf for what must not be"
        : uses(decl, ast::ReduceOp::ArgMin)
            ? "argmax() of the negated values takes -inf for what must not be"
            : "");
  }
}

void AlgebraChecker::checkValues(const ast::QueryDecl &decl, const Query &query) {
  if (query.type)
    if (const std::string fault = integerQueryFault(context_.model, query, *query.type);
        !fault.empty())
      return context_.error(decl.name.range, "{}", fault);
  const bool zeroOne = uses(decl, ast::ReduceOp::Any) || uses(decl, ast::ReduceOp::Count);
  const bool nonNegative =
      traitsOf(query.kind).needsNonNegative() || std::ranges::any_of(decl.reductions, picks);
  if (query.combine == Combine::Plus)
    return checkSummands(decl, query);
  for (const FactorId id : query.factors) {
    const Factor &factor = context_.model.factor(id);
    if (!storedValues(factor))
      continue; // `input`: the runtime checks the values
    const TableFacts &known = facts(factor);
    const auto report = [&](const char *needs, auto isBad, std::string_view hint = {}) {
      const StoredValues values = storedOf(factor);
      const uint64_t bad = firstOf(values, isBad).value_or(0);
      context_.errorWithHint(decl.name.range,
                             fmt::format("{} needs {}; {} is {} at {}", excerpt(query.name, 80),
                                         needs, excerpt(factor.name, 80),
                                         formatScaled(values.at(bad)),
                                         entryText(context_.model, factor.scope, bad)),
                             std::string(hint));
    };
    if (zeroOne && !known.onlyZeroOne)
      return report("values 0 and 1", [](const ScaledNumber &v) {
        return v.mantissa != 0 && (v.mantissa != 1 || v.exponent != 0);
      });
    if (isSwept(context_.model, factor.formula.get()))
      continue; // each case is checked when it is read
    if (known.hasInfinite)
      return report("finite values", [](const ScaledNumber &v) { return std::isinf(v.mantissa); });
    if (nonNegative && known.hasNegative)
      return report(
          "values not below 0", [](const ScaledNumber &v) { return v.mantissa < 0; }, kCostsHint);
  }
}

} // namespace mpf
