// Lanes on the CPU: strips of cases in vector registers (kernels/lane_kernels.h); a worker answers
// one strip at a time. They use the linear arithmetic of linear_plan.h. Small steps get compiled
// kernels if compiling pays (compiled/choose_strips.h). No compiler is needed.
#pragma once

#include "codegen/bundle/lanes/linear_plan.h"
#include "runtime/execute/compiled/load_texts.h"
#include "runtime/execute/lanes/lane_executor.h"
#include "runtime/execute/threads/thread_pool.h"

#include <memory>

namespace mpf {

struct CpuLaneOptions {
  uint64_t maxBytes = UINT64_MAX;
  bool profile = false;      ///< measure steps (LaneExecutor::stepSeconds)
  CompiledKernelOptions own; ///< by default nothing is compiled
};

/// Makes an executor in F32 or F64. It copies the shared tables that it needs, and keeps references
/// to the program and to the pool, whose workers answer strips. `plan`, for this type, must be
/// possible. All its memory is within the bound; if the messages of all workers do not fit, there
/// are fewer workers. Throws Error(MemoryBound) if those of one worker do not fit.
std::unique_ptr<LaneExecutor> makeCpuLanes(const LaneProgram &program, const CommonTables &common,
                                           const LinearPlan &plan, ElementType type,
                                           ThreadPool &pool, const CpuLaneOptions &options);

} // namespace mpf
