// Opens lanes on the machine's GPU. Builds without CUDA have none (gpu_backend.h).
#pragma once

#include "codegen/bundle/lanes/common_tables.h"
#include "codegen/bundle/lanes/lane_kernel.h"
#include "codegen/bundle/lanes/lane_program.h"
#include "codegen/bundle/lanes/linear_plan.h"
#include "runtime/api/session.h"
#include "runtime/execute/lanes/lane_executor.h"
#include "runtime/execute/threads/thread_pool.h"

#include <memory>
#include <optional>
#include <string>

namespace mpf {

/// The kernel texts of a lane program for one element type.
struct LaneTexts {
  std::optional<LaneKernel> kernel; ///< generated for the program; none: it is too large for one
  std::string tableDriven;          ///< the kernels that run any program
  std::string said;                 ///< comments for dumped kernels (codegen/emit/lanes_in_text.h)
  /// Whether the generated kernel is compiled before its first launch, not when lanes are opened.
  bool compilesLater = false;
};

/// Opens lanes on the GPU of SessionOptions::device: with the generated kernel if there is one,
/// else table-driven. Throws like makeGpuLaneKernel and makeGpuTeams
/// (runtime/execute/gpu/lanes/gpu_lanes.h). `pool`: threads for the host's part.
std::unique_ptr<LaneExecutor> openGpuLanes(const LaneProgram &program, const CommonTables &common,
                                           const LinearPlan &plan, const LaneTexts &texts,
                                           ElementType type, const SessionOptions &options,
                                           ThreadPool &pool);

} // namespace mpf
