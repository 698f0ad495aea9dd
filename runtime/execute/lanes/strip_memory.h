// Plans the memory of lanes on the CPU before any is allocated: cases of a strip, workers, bytes.
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
  bool isWide = true;       ///< true: strips of the wide kernels (lane_kernels.h)
  size_t lanes = 0;         ///< cases that a worker computes together
  uint64_t sharedBytes = 0; ///< tables and addresses that all workers read
  uint64_t workerBytes = 0; ///< messages, weights, exponents and codes of one strip
  uint64_t workers = 0;     ///< one for each thread, or fewer if the bound is too small
  StripSchedule schedule;
  std::vector<StripNest> nests; ///< by step: its loops, if it is in no butterfly
};

/// Plans lanes in F32 or F64. Throws Error(MemoryBound) if `maxBytes` hold no worker.
StripMemory planStripMemory(const LaneProgram &program, const LinearPlan &plan, ElementType type,
                            size_t threads, uint64_t maxBytes);

/// Chooses the steps that compiled kernels run, and their texts, for the expected number of cases.
/// The texts use the places of `memory` and the vectors of this machine.
StripChoice stripsToCompile(const LaneProgram &program, const CommonTables &common,
                            const LinearPlan &plan, ElementType type, const StripMemory &memory,
                            double expectedCases);

} // namespace mpf
