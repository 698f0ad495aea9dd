// How lanes on the CPU divide their memory, before they take any of it: cases of a strip, workers,
// bytes.
#pragma once

#include "codegen/bundle/lanes/lane_program.h"
#include "codegen/bundle/lanes/linear_plan.h"
#include "runtime/execute/lanes/compiled/choose_strips.h"
#include "runtime/execute/lanes/strip_nest.h"
#include "runtime/execute/lanes/strip_schedule.h"

#include <cstddef>
#include <cstdint>
#include <vector>

namespace mpf {

struct StripMemory {
  bool isWide = true;       ///< strips of the wide kernels (lane_kernels.h)
  size_t lanes = 0;         ///< cases that a worker computes together
  uint64_t sharedBytes = 0; ///< tables and addresses that all workers read
  uint64_t workerBytes = 0; ///< messages, weights, exponents and codes of one strip
  uint64_t workers = 0;     ///< one for each thread, or fewer where the bound does not hold so many
  StripSchedule schedule;
  std::vector<StripNest> nests; ///< by step: how strips of so many cases walk it, where it is alone
};

/// For F32 or F64. Throws Error(MemoryBound) where `maxBytes` hold no worker.
StripMemory planStripMemory(const LaneProgram &program, const LinearPlan &plan, ElementType type,
                            size_t threads, uint64_t maxBytes);

/// The steps that compiled kernels run for so many cases, with their texts, by the places that
/// `memory` has. For this machine's kernels.
StripChoice stripsToCompile(const LaneProgram &program, const CommonTables &common,
                            const LinearPlan &plan, ElementType type, const StripMemory &memory,
                            double expectedCases);

} // namespace mpf
