// Compares one entry of a result with its exact value.
#pragma once

#include "runtime/result/result.h"
#include "tests/oracle/edge/edge_tolerance.h"

#include <string>

namespace mpf::oracle {

struct EntryFault {
  std::string category; ///< empty: right. No names, no numbers: "0 instead of a number"
  std::string text;     ///< which entry, found and wanted
  bool isNan = false;
};

EntryFault faultOfEntry(const ResultTable &table, size_t i, const ExactEntry &wanted,
                        Semiring semiring, const Tolerance &tolerance);

/// Compares a posterior with `weight` divided by `sum`, which is not zero.
EntryFault faultOfPosterior(const ResultTable &table, size_t i, const ExactEntry &weight,
                            const ExactEntry &sum, const Tolerance &tolerance);

} // namespace mpf::oracle
