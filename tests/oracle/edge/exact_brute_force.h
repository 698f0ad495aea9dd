// Computes the answer by the definition in exact arithmetic; extreme values are judged by it.
// Nothing is rounded but the logarithm of a log-sum, once, at the end.
#pragma once

#include "dsl/model/model.h"
#include "tests/oracle/edge/exact_number.h"

#include <map>
#include <string>
#include <vector>

namespace mpf::oracle {

/// One number of the answer, with the magnitude that its error is relative to.
struct ExactEntry {
  ExactNumber value; ///< for a log-sum, the greatest of its terms
  /// Sums: the sum of the terms' magnitudes, since terms may cancel. Products of maxima: the
  /// value's magnitude. Sums of costs and of logs: the greatest sum of magnitudes over the
  /// assignments of the entry.
  ExactNumber magnitude;
  /// Whether no assignment has weight: the entry is 0, or -infinity where values are added. False
  /// for a sum that cancels.
  bool zero = true;
  double logCorrection = 0; ///< a log-sum is value + logCorrection, from 0 to ln(terms)
};

/// A table, row-major over the scope in the query's order, observed variables left out, last
/// variable fastest.
struct ExactTable {
  std::vector<VarId> scope;
  std::vector<ExactEntry> entries;
  bool normalised = false; ///< the answer is each entry divided by the sum of all
};

struct ExactAnswer {
  Semiring semiring;                        ///< semiring that the entries were computed in
  std::map<std::string, ExactTable> tables; ///< by output name, as bruteForce() has them
};

/// Enumerates models of a few variables: time is the product of all extents times the factors.
/// Values are finite, or -infinity under max and logsum of sums. Throws Error(Internal) for others.
ExactAnswer exactBruteForce(const Model &model, const Query &query);

/// Returns the query's factors combined for one full assignment.
ExactEntry exactProductAt(const Model &model, const Query &query,
                          const std::vector<uint32_t> &assignment);

} // namespace mpf::oracle
