#include "dsl/support/check.h"
#include "runtime/machine/gpu_backend.h"
#include "runtime/machine/gpu_lane_backend.h"

namespace mpf {

std::unique_ptr<LaneExecutor> openGpuLanes(const LaneProgram &, const CommonTables &,
                                           const LinearPlan &, const LaneTexts &, ElementType,
                                           const SessionOptions &, ThreadPool &) {
  fail(ErrorKind::Device, "{}", gpuBackendUnavailable());
}

} // namespace mpf
