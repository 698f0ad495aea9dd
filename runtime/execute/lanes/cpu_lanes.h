// Lanes on the CPU: strips of cases in vector registers, one worker for each strip
// (kernels/lane_kernels.h). Linear arithmetic by linear_plan.h; small steps by kernels of their own
// where compiling those pays (compiled/choose_strips.h). No compiler is needed.
#pragma once

#include "codegen/bundle/lanes/linear_plan.h"
#include "runtime/execute/compiled/load_texts.h"
#include "runtime/execute/lanes/lane_executor.h"
#include "runtime/execute/threads/thread_pool.h"

#include <memory>

namespace mpf {

struct CpuLaneOptions {
  uint64_t maxBytes = UINT64_MAX;
  bool profile = false;      ///< measures its steps (LaneExecutor::stepSeconds)
  CompiledKernelOptions own; ///< by default nothing is compiled
};

/// An executor in F32 or F64. It copies what it needs of the shared tables; `plan`, for this type,
/// must be possible. It keeps references to the program and to the pool, whose workers answer
/// strips. All that it allocates is within the bound: fewer workers answer strips where not all of
/// their messages fit. Throws Error(MemoryBound) where not even the messages of one worker fit.
std::unique_ptr<LaneExecutor> makeCpuLanes(const LaneProgram &program, const CommonTables &common,
                                           const LinearPlan &plan, ElementType type,
                                           ThreadPool &pool, const CpuLaneOptions &options);

} // namespace mpf
