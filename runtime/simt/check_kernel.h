// One kernel on random tables in the SIMT checker: what is wrong with its accesses, its results and
// the exponents that it records.
#pragma once

#include "runtime/simt/kernel_run.h"

#include <cstdint>
#include <string>
#include <vector>

namespace mpf::simt {

struct KernelProblem {
  uint32_t site = 0; ///< access site that it was seen at; 0: none
  std::string message;
};

struct KernelCheck {
  std::vector<KernelProblem> faults; ///< accesses, races, wrong entries or exponents
  /// Sites without bank conflicts in the text that mpf emits for the plan that have some here.
  std::vector<KernelProblem> conflicts;
  uint64_t blocksRun = 0; ///< of the grid's
  Report report;
};

struct KernelCheckOptions {
  uint64_t seed = 0; ///< of the tables' entries, and of the blocks
  /// About so many products of entries are formed: a larger launch runs its first block, its last
  /// and others of all parts of the grid, and what they wrote is compared.
  uint64_t mostTerms = uint64_t{1} << 40;
};

/// Tables of mixed forms and scales; entries are compared with the operation's definition
/// (form_reference.h). Not thread-safe. Errors as KernelSuite::run's.
KernelCheck checkKernel(KernelSuite &suite, size_t number, const KernelCheckOptions &options = {});

} // namespace mpf::simt
