// The answer by the definition in exact arithmetic: what extreme values are judged by. Nothing is
// rounded but the logarithm of a log-sum, once, at the end.
#pragma once

#include "dsl/model/model.h"
#include "tests/oracle/edge/exact_number.h"

#include <map>
#include <string>
#include <vector>

namespace mpf::oracle {

/// One number that was asked for, with what its error is measured in.
struct ExactEntry {
  ExactNumber value; ///< of a log-sum: the greatest of its terms
  /// Sums: of the terms' magnitudes, since terms may cancel. Products of maxima: the value's own.
  /// Sums of costs and of logs: the greatest sum of magnitudes over the assignments of the entry.
  ExactNumber magnitude;
  /// No assignment has weight: 0, or where values are added -infinity. Not of a sum that cancels.
  bool zero = true;
  double logCorrection = 0; ///< a log-sum is value + logCorrection, from 0 to ln(terms)
};

/// Row-major over the scope as asked for, observed variables left out, last variable fastest.
struct ExactTable {
  std::vector<VarId> scope;
  std::vector<ExactEntry> entries;
  bool normalised = false; ///< the answer is each entry divided by the sum of all
};

struct ExactAnswer {
  Semiring semiring;                        ///< that the entries were computed in
  std::map<std::string, ExactTable> tables; ///< by output name, as bruteForce() has them
};

/// For models of a few variables: time is the product of all extents times the factors. Values are
/// finite, or -infinity under max and logsum of sums. Errors: Internal for others.
ExactAnswer exactBruteForce(const Model &model, const Query &query);

/// The query's factors combined for one full assignment.
ExactEntry exactProductAt(const Model &model, const Query &query,
                          const std::vector<uint32_t> &assignment);

} // namespace mpf::oracle
