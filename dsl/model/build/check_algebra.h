// Finds the semiring that the words of a query name, and checks the values of its factors. These
// pairs of a reduction and a combination are allowed:
//
//   sum *      max *      min *      logsum +      max +      min +
//   any and  = max * over 0/1        count (and, *) = sum * over 0/1
//   argmax, argmin: as max and min, with an assignment that has the value
//
// The reduction must distribute over the combination (ICS'08 section 2.2). max and min distribute
// over * only while no value is below 0. Values that are multiplied must be finite, those that are
// added below infinity.
//
// A query of one factor combines nothing, but evidence needs a semiring: it excludes states by the
// semiring's zero, and soft evidence is a factor of products. AlgebraChecker::isCost decides; the
// result is in Query::combine, which every later stage uses.
#pragma once

#include "dsl/model/resolve/build_context.h"

#include <optional>
#include <span>

namespace mpf {

/// The properties of a table's values that decide which semirings it can be used in.
struct TableFacts {
  bool hasNegative = false, hasInfinite = false, onlyZeroOne = true;
};

/// A checker that scans each distinct table once and remembers its facts. The context must outlive
/// it.
class AlgebraChecker {
public:
  explicit AlgebraChecker(BuildContext &context) : context_(context) {}

  /// Returns how an explicit query combines its factors. Returns nothing after reporting a
  /// reduction that does not go with the query's operator; a hint names the pair that was probably
  /// meant. A product that is one name has no operator: its reductions decide, and for max and min
  /// the signs of values.
  std::optional<Combine> combineOf(const ast::QueryDecl &decl, std::span<const FactorId> factors);

  /// Reports the first factor with values that the query cannot use. The runtime checks factors
  /// without values (`input`), the list of cases checks those that depend on swept params.
  void checkValues(const ast::QueryDecl &decl, const Query &query);

private:
  StoredValues storedOf(const Factor &factor) const; ///< the factor must have values
  const TableFacts &facts(const Factor &factor);
  /// Whether the only factor of a query is a cost, so that the query is a sum of one term;
  /// otherwise it is a product of one factor.
  /// - No reduction: it is a cost if an entry is infinite.
  /// - Only max and min: it is a cost if an entry is below 0.
  /// - Only max and min, and a formula that may be negative (isNeverNegative): it is a cost without
  ///   soft evidence on its variables. With such evidence, entries below 0 are refused.
  bool isCost(const ast::QueryDecl &decl, const Factor &factor);
  void checkSummands(const ast::QueryDecl &decl, const Query &query);
  bool anyFact(std::span<const FactorId> factors, bool TableFacts::*fact);

  BuildContext &context_;
  std::unordered_map<const void *, TableFacts> facts_; ///< by table; only looked up
};

/// Whether a query is a sum of one cost, which depends on soft evidence. It has a value only for a
/// query under max or min of one factor, whose entries depend on params that cases set and may be
/// below 0. `likelihoods`: the soft evidence that cases set, beside the model's own and that of its
/// list.
std::optional<bool> isVaryingCost(const Model &model, const Query &query,
                                  std::span<const CaseVariable> likelihoods = {});
/// Makes products of the queries that are no sums of one cost any more, because cases set soft
/// evidence. Call it when a model gets a list of cases after its queries were built.
void settleVaryingCosts(Model &model, std::span<const CaseVariable> likelihoods);

/// The reduction that a word stands for: any and argmax are maxima, count is a sum.
Reduce reduceOf(ast::ReduceOp op);

} // namespace mpf
