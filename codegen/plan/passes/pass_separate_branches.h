// Lets branches of the bucket tree run side by side. Without this pass, results take any memory
// that is free at their time. Then an operation waits for others only because it writes where they
// read.
//
// The downward messages of marginals part at every bucket. There, sharing memory makes the longest
// chain of operations that wait for each other two to nine times as long. Without sharing, memory
// is at most a few times as large.
//
// The memory that an operation may take is described in branch_arena.h. One thread, which runs one
// operation after the other, gains nothing. A GPU reads tables several times as fast as long as
// they stay in its cache, so there the pass must not push them out. On a CPU each page costs time
// when it is touched first, so the pages must not cost more than threads can save.
#pragma once

#include "codegen/plan/program/device_costs.h"
#include "codegen/plan/program/program_memory.h"
#include "codegen/plan/program/run_costs.h"

#include <cstdint>
#include <functional>
#include <limits>
#include <optional>

namespace mpf {

/// The most memory of a program with separate branches, as a multiple of the least.
inline constexpr uint64_t kMostBranchMemory = 4;

/// The limits of the memory that separate branches may take.
struct BranchTerms {
  MemoryLimit limit;
  RunCosts costs; ///< with the price of memory on a CPU
  /// The most time that branches side by side save in one run. Infinite: it is not known.
  double mostGainUs = std::numeric_limits<double>::infinity();
  /// Predicts the microseconds of a run of the program. Empty: nothing predicts it.
  std::function<double(const TableProgram &)> programUs;
  std::optional<uint64_t> peakBytes = {}; ///< of the program as it is, if that is known
};

/// Marks the program, unless that makes its peak too large:
/// - above the bound, or above kMostBranchMemory times its present peak;
/// - above the cache of a GPU that holds it now;
/// - so large that its first touch costs more than a question may (questionPays), or more than the
///   predicted gain. Predictions are made only where the pages cost more than these.
///
/// `gpu`: null if the program is for the CPU alone. Programs with slices stay as they are: they
/// have them because memory is short.
void passSeparateBranches(TableProgram &program, const BranchTerms &terms, DeviceCosts *gpu);

} // namespace mpf
