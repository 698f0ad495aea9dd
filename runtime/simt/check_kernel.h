// Runs one kernel on random tables in the SIMT checker and reports faults of its accesses, its
// results and the exponents that it records.
#pragma once

#include "runtime/simt/kernel_problem.h"
#include "runtime/simt/kernel_run.h"

#include <cstdint>
#include <string>
#include <vector>

namespace mpf::simt {

struct KernelCheck {
  std::vector<KernelProblem> faults; ///< accesses, races, wrong entries or exponents
  /// Bank conflicts at sites that have none in the text that mpf emits for the plan.
  std::vector<KernelProblem> conflicts;
  uint64_t blocksRun = 0; ///< number of blocks of the grid that ran
  Report report;
};

struct KernelCheckOptions {
  uint64_t seed = 0; ///< seed of the tables' entries and of the choice of blocks
  /// Bound of the work, in products of entries. A larger launch runs only some blocks: the first,
  /// the last, and others from all parts of the grid. Their results are compared.
  uint64_t mostTerms = uint64_t{1} << 40;
  /// The kernels that mpf emits for the same plans, with the same numbers; may be null. If only
  /// some blocks run, the kernel must write the entries that these blocks of the emitted one write.
  KernelSuite *emitted = nullptr;
};

/// Runs kernel `number` of the suite on tables of mixed forms and scales, and compares the result
/// with the operation's definition (form_reference.h). Not thread-safe. Throws as KernelSuite::run.
KernelCheck checkKernel(KernelSuite &suite, size_t number, const KernelCheckOptions &options = {});

/// Runs kernel `number` with operand ranges for which `options.emitted` (not null) returns without
/// writing and another kernel computes the operation. These are: linear arithmetic that may lose
/// entries, logarithms where linear arithmetic is exact, whole numbers that may overflow. The
/// kernel must write nothing either. Conflicts are not judged.
KernelCheck checkRefusals(KernelSuite &suite, size_t number, const KernelCheckOptions &options);

} // namespace mpf::simt
