// Which semiring the words of a query name, and whether the values of its factors allow it. These
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
// A query of one factor alone combines nothing, and yet evidence must know: it rules states out
// with the zero of the semiring, and soft evidence is a factor of products. The rule
// (AlgebraChecker:: isCost) stands in Query::combine, which every later stage asks.
#pragma once

#include "dsl/model/resolve/build_context.h"

#include <optional>
#include <span>

namespace mpf {

/// The properties of a table's values that decide which semirings it can be used in.
struct TableFacts {
  bool hasNegative = false, hasInfinite = false, onlyZeroOne = true;
};

/// Looks at each distinct table once and remembers its facts. The context must outlive it.
class AlgebraChecker {
public:
  explicit AlgebraChecker(BuildContext &context) : context_(context) {}

  /// How an explicit query combines its factors. Nothing after reporting a reduction that does not
  /// go with the query's operator; a hint names the pair that was probably meant. A product that is
  /// written as one name has no operator: its reductions, and for max and min the signs of its
  /// values, decide.
  std::optional<Combine> combineOf(const ast::QueryDecl &decl, std::span<const FactorId> factors);

  /// Reports the first factor with values that the query cannot be computed with. Factors without
  /// values (`input`) are left to the runtime, those of swept params to the list of cases.
  void checkValues(const ast::QueryDecl &decl, const Query &query);

private:
  StoredValues storedOf(const Factor &factor) const; ///< of one that has values
  const TableFacts &facts(const Factor &factor);
  /// Whether a factor that is alone in its query is a sum of one cost; else it is a product of one
  /// factor. It is a cost where nothing is reduced and an entry is infinite, and under max and min
  /// where an entry may be below 0: one is, or the entries depend on params that cases set, and the
  /// formula may be negative (isNeverNegative). Soft evidence on one that depends on such params
  /// makes a product of the query, and entries below 0 are then refused.
  bool isCost(const ast::QueryDecl &decl, const Factor &factor);
  void checkSummands(const ast::QueryDecl &decl, const Query &query);
  bool anyFact(std::span<const FactorId> factors, bool TableFacts::*fact);

  BuildContext &context_;
  std::unordered_map<const void *, TableFacts> facts_; ///< by table; never walked
};

/// Of a query under max or min of one factor alone, whose entries depend on params that cases set
/// and may be below 0: whether it is a sum of one cost, which depends on soft evidence. None:
/// `query` is another one.
std::optional<bool> isVaryingCost(const Model &model, const Query &query);

/// The reduction that a word stands for: any and argmax are maxima, count is a sum.
Reduce reduceOf(ast::ReduceOp op);

} // namespace mpf
