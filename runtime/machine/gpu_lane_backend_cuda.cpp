#include "runtime/execute/gpu/lanes/gpu_lanes.h"
#include "runtime/machine/gpu_lane_backend.h"
#include "runtime/machine/gpu_options_of.h"

namespace mpf {

std::unique_ptr<LaneExecutor> openGpuLanes(const LaneProgram &program, const CommonTables &common,
                                           const LinearPlan &plan, const LaneTexts &texts,
                                           ElementType type, const SessionOptions &options,
                                           ThreadPool &pool) {
  GpuOptions gpu = gpuOptionsOf(options);
  gpu.pool = &pool;
  gpu.kernels.dumpedBehind = texts.said;
  gpu.compilesLater = texts.compilesLater;
  if (texts.kernel)
    return makeGpuLaneKernel(program, common, plan, *texts.kernel, type, gpu);
  return makeGpuTeams(program, common, plan, texts.tableDriven, type, gpu);
}

} // namespace mpf
