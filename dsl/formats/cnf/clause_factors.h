// Clauses -> factors. A clause is a factor of 1 and 0 over its variables; its value is 0 where no
// literal is true.
//
// A wide clause becomes a chain: each auxiliary variable is the disjunction of the one before it
// and a literal, and the last three make a clause. (Tseitin 1968 names subformulas so.) An
// auxiliary variable is a function of the variables in front of it, so sums, maxima and counts of
// models are those of the clause. It is a variable like any other, and answers about all variables
// list it.
#pragma once

#include "dsl/formats/network/network_builder.h"

#include <array>
#include <cstdint>
#include <span>
#include <vector>

namespace mpf {

/// The variable 1, 2, ... of DIMACS, or its negation if below 0; never 0.
using Literal = int32_t;

/// The most literals of a clause that is one table, of 2^6 entries.
inline constexpr size_t kWidestClauseTable = 6;

/// Adds the clauses of one text. The network has the variables 1, 2, ... as VarId 0, 1, ... Not
/// thread-safe; the network must outlive the object.
class ClauseFactors {
public:
  explicit ClauseFactors(NetworkBuilder &network);

  /// Adds the factors of a clause; `place` is that of its text. Literals that stand twice count
  /// once. A clause with a variable and its negation is true and gives no factor. All empty clauses
  /// are one factor, 0. Reports variables and factors beyond the limits.
  bool add(std::span<const Literal> literals, SourceRange place);

  /// The clauses so far, also those without a factor.
  uint64_t count() const { return count_; }
  /// Whether factors name the variable.
  bool names(VarId variable) const {
    return variable.index() >= named_.size() || named_[variable.index()];
  }
  /// Adds the factor of the weights of a variable, in the form of StoredValues: of its negation,
  /// and of itself. Reports factors beyond the limits.
  bool addWeights(Literal variable, const std::vector<double> &values, SourceRange place);
  /// Adds the constant factor 1. Reports factors beyond the limits.
  bool addOne(SourceRange place);

private:
  VarId variableOf(Literal literal);
  /// Returns the table over so many variables that is 0 at one entry, `violation`, and 1 elsewhere.
  const TableValues &tableOf(size_t variables, size_t violation);
  /// Adds the clause of the literals, and of `link` if it is valid.
  bool addClause(VarId link, std::span<const Literal> literals, SourceRange place);
  bool addChain(std::span<const Literal> literals, SourceRange place);

  NetworkBuilder &network_;
  uint64_t count_ = 0;
  bool hasEmpty_ = false;
  std::vector<Literal> sorted_; ///< of the clause that is being added
  std::vector<bool> named_;     ///< by VarId, of the text's variables
  /// Those of tableOf that a clause had, by violation + 2^variables; the others are null.
  std::array<TableValues, size_t{2} << kWidestClauseTable> tables_;
};

} // namespace mpf
