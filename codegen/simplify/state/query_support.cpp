#include "codegen/simplify/state/query_support.h"

#include "dsl/model/build/integer_query.h"
#include "dsl/model/build/soft_cost.h"
#include "dsl/model/unanswered_query.h"
#include "dsl/source/text_error.h"
#include "dsl/support/numbers/scaled_text.h"

#include <algorithm>
#include <cmath>

namespace mpf {

namespace {

Semiring expressionSemiring(const Query &query) {
  if (query.reductions.empty())
    return {query.combine == Combine::Times ? Reduce::Sum : Reduce::Max, query.combine};
  const Reduce reduce = query.reductions.front().reduce;
  for (const QueryReduction &reduction : query.reductions)
    if (reduction.reduce != reduce)
      refuseNested(query);
  const Semiring semiring{reduce, query.combine};
  if (!isSemiring(semiring))
    failAt(ErrorKind::Unsupported, query.place,
           "query {}: this reduction does not distribute over this product; use sum, max or min "
           "with *, or max, min or logsum with +",
           query.name);
  return semiring;
}

/// Returns the place of the query; if no text asks it, that of the factor's first value below 0.
const SourcePlace &placeOfNegative(const Query &query, const Factor &factor) {
  const SourcePlace &ofFactor = factor.negativePlace.buffer ? factor.negativePlace : factor.place;
  return query.place.buffer ? query.place : ofFactor;
}

/// Refuses infinite values in a product, for queries without text: other queries are checked when
/// they are read.
void refuseInfinite(const Model &model, const Query &query) {
  for (const FactorId id : query.factors) {
    const Factor &factor = model.factor(id);
    const TableValues &values = storedValues(factor);
    if (query.place.buffer || !factor.place.buffer || !values || factor.formula)
      continue;
    const auto bad = std::ranges::find_if(*values, [](double value) { return std::isinf(value); });
    if (bad != values->end())
      failAt(ErrorKind::BadInput, factor.place,
             "query {} needs finite values; entry {} of {} is {}", query.name,
             bad - values->begin(), factor.name, *bad);
  }
}

[[noreturn]] void refuseProduct(const SourcePlace &place, const Query &query,
                                const std::string &found) {
  const std::string message =
      fmt::format("query {} maximises or minimises a product, which needs values of at least 0; {}",
                  query.name, found);
  if (!place.buffer)
    throw Error(ErrorKind::BadInput, message);
  throw TextError(ErrorKind::BadInput, {Severity::Error, place, message, std::string(kCostsHint)});
}

/// max(-1 * a) is not -1 * max(a): with negative values max and * are no semiring.
void refuseNegative(const Model &model, const Query &query) {
  for (const FactorId id : query.factors) {
    const Factor &factor = model.factor(id);
    if (!mayBeNegative(factor))
      continue;
    const SourcePlace &place = placeOfNegative(query, factor);
    if (factor.bindsNegative)
      refuseProduct(place, query, fmt::format("those of {} may be below", factor.name));
    const StoredValues values(*storedValues(factor), scopeElems(model, factor.scope));
    uint64_t entry = 0;
    while (!(values.mantissa(entry) < 0))
      ++entry;
    refuseProduct(
        place, query,
        fmt::format("entry {} of {} is {}", entry, factor.name, formatScaled(values.at(entry))));
  }
}

void refuseTargets(const Model &model) {
  for (const FactorId id : model.evidence.likelihoods)
    if (const Factor &factor = model.factor(id); factor.target)
      fail(
          ErrorKind::Unsupported,
          "the likelihood that gives {} its posterior (observe ... ~ posterior) is not fitted here",
          model.variable(factor.scope.front()).name);
}

/// Returns the variables on which soft evidence changes the answer.
std::vector<char> knownVariables(const Model &model, const Query &query) {
  if (!traitsOf(query.kind).isExpression())
    return std::vector<char>(model.variables.size(), 1);
  std::vector<char> known(model.variables.size(), 0);
  for (const VarId id : query.output)
    known[id.index()] = 1;
  for (const Finding &finding : model.evidence.findings)
    known[finding.variable.index()] = 0;
  for (const FactorId id : query.factors)
    for (const VarId v : model.factor(id).scope)
      known[v.index()] = 1;
  return known;
}

} // namespace

void refuseSoftCost(const Model &model, const Query &query, VarId variable) {
  if (const std::string fault = softCostFault(model, query, variable); !fault.empty())
    failAt(ErrorKind::BadInput, query.place, "{}", fault);
}

bool needsNonNegative(const Query &query) {
  const QueryTraits &traits = traitsOf(query.kind);
  if (!traits.isExpression())
    return traits.needsNonNegative();
  return query.combine == Combine::Times &&
         std::ranges::any_of(query.reductions, [](const QueryReduction &reduction) {
           return reduction.reduce != Reduce::Sum;
         });
}

Semiring checkedSemiring(const Model &model, const Query &query) {
  const QueryTraits &traits = traitsOf(query.kind);
  if (!traits.isPlanned)
    refuseUnplanned(query);
  if (listsCases(model))
    failAt(
        ErrorKind::Unsupported, model.listedCases,
        "a list of cases (observe cases) is answered by mpfc run; its stages are model, "
        "simplified, order, td, lanes, cuda, ptx, compiled and bundle, with --engine tables all");
  if (!model.sweeps.empty())
    failAt(
        ErrorKind::Unsupported, model.sweeps.front().place,
        "swept params are a list of cases, answered by mpfc run; its stages are model, simplified, "
        "order, td, lanes, cuda, ptx, compiled and bundle, with --engine tables all: else give {} "
        "one value",
        model.sweeps.front().name);
  refuseTargets(model);
  const Semiring semiring =
      traits.isExpression() ? expressionSemiring(query) : Semiring{traits.reduce, Combine::Times};
  if (semiring.combine == Combine::Times)
    refuseInfinite(model, query);
  if (needsNonNegative(query))
    refuseNegative(model, query);
  if (query.combine == Combine::Plus)
    for (const FactorId id : queryFactors(model, query))
      if (model.evidence.isLikelihood(id))
        refuseSoftCost(model, query, model.factor(id).scope.front());
  return semiring;
}

void checkElementType(const Model &model, const Query &query, ElementType type) {
  if (const std::string fault = integerQueryFault(model, query, type); !fault.empty())
    failAt(ErrorKind::BadInput, query.place, "{}", fault);
}

EntryNeeds entryNeedsOf(const Model &model, std::span<const Query> queries,
                        std::optional<ElementType> type) {
  EntryNeeds needs;
  needs.nonNegative = std::ranges::any_of(queries, needsNonNegative);
  for (const Query &query : queries) {
    if (!isIntegerType(elementTypeOf(query, type)))
      continue;
    needs.wholeFactors.resize(model.factors.size(), 0);
    for (const FactorId id : queryFactors(model, query))
      needs.wholeFactors[id.index()] = 1;
    needs.wholeLikelihoods.resize(model.variables.size(), 0);
    const std::vector<char> known = knownVariables(model, query);
    for (size_t v = 0; v < known.size(); ++v)
      needs.wholeLikelihoods[v] |= known[v];
  }
  return needs;
}

std::vector<FactorId> queryFactors(const Model &model, const Query &query) {
  std::vector<FactorId> factors = query.factors;
  if (!traitsOf(query.kind).isExpression())
    return factors;
  const std::vector<char> known = knownVariables(model, query);
  std::vector<char> named(model.factors.size(), 0);
  for (const FactorId id : query.factors)
    named[id.index()] = 1;
  for (const FactorId id : model.evidence.likelihoods)
    if (!named[id.index()] && known[model.factor(id).scope.front().index()])
      factors.push_back(id);
  return factors;
}

} // namespace mpf
