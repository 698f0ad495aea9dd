// Which semiring a query's words ask for, and whether the values allow it.
//
//   sum *      max *      min *      logsum +      max +      min +
//   any and  = max * over 0/1        count (and, *) = sum * over 0/1
//
// ICS'08 section 2.2: the reduction has to distribute over the product. max and min distribute over
// * only while no value is below 0; a product needs finite values.
#pragma once

#include "dsl/model/resolve/build_context.h"

#include <optional>
#include <span>

namespace mpf {

/// What the values of a table allow; one pass over each distinct table.
struct TableFacts {
  bool hasNegative = false, hasInfinite = false, onlyZeroOne = true;
};

/// Remembers the facts of tables it has seen. The model must outlive it.
class AlgebraChecker {
public:
  explicit AlgebraChecker(BuildContext &context) : context_(context) {}

  /// The combine of an explicit query. Reports a pair that is no semiring, with the pair that is
  /// meant. A product of one factor takes the combine that goes with its reduction.
  std::optional<Combine> combineOf(const ast::QueryDecl &decl, std::span<const FactorId> factors);

  /// Reports the first factor whose values the query cannot take.
  void checkValues(const ast::QueryDecl &decl, const Query &query);

private:
  const TableFacts &facts(const Factor &factor);
  bool anyFact(std::span<const FactorId> factors, bool TableFacts::*fact);

  BuildContext &context_;
  std::unordered_map<const void *, TableFacts> facts_; ///< by table, looked up only
};

Reduce reduceOf(ast::ReduceOp op);

} // namespace mpf
