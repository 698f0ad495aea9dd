// The variables over which a .cnf text counts, and the query of such a count.
#pragma once

#include "dsl/formats/cnf/clause_factors.h"

#include <optional>
#include <span>
#include <utility>
#include <vector>

namespace mpf {

/// Collects the projection of one text, which may stand in front of the number of variables. Not
/// thread-safe; the network must outlive the object.
class Projection {
public:
  explicit Projection(NetworkBuilder &network) : network_(network) {}

  /// Begins a list of shown variables at `place`. Several lists add up.
  void begin(SourceRange place) { place_ = place_.value_or(place); }
  void show(Literal variable, SourceRange place) { shown_.emplace_back(variable, place); }
  /// How many variables were shown.
  uint64_t size() const { return shown_.size(); }
  /// The place of the first list; nothing if there is none, and all variables count.
  std::optional<SourceRange> place() const { return place_; }
  /// Makes all variables count.
  void clear() { place_.reset(); }

  /// Ends the lists. Reports shown variables beyond 1 to `variables`.
  void resolve(uint64_t variables);
  /// Whether each variable counts, by VarId; empty: all do, or resolve was not called.
  const std::vector<bool> &isShown() const { return isShown_; }
  /// Returns the query of the count: the sum over the shown variables of the maximum over the
  /// others. These are eliminated (hidden_variables.h). If that takes too much, a warning says it,
  /// and the query has both reductions. Adds a factor for each shown variable that no factor names.
  /// There is a list.
  Query query(ClauseFactors &clauses);

private:
  /// Shows the links of wide clauses that are functions of shown variables.
  void markLinks();
  /// Adds a factor of ones to `factors` for each of the variables that none of them names.
  void addUnnamed(std::span<const VarId> variables, std::vector<FactorId> &factors,
                  ClauseFactors &clauses) const;

  NetworkBuilder &network_;
  std::vector<std::pair<Literal, SourceRange>> shown_;
  std::optional<SourceRange> place_;
  std::vector<bool> isShown_;
};

} // namespace mpf
