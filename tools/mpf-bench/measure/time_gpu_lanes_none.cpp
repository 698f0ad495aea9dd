#include "dsl/support/check.h"
#include "tools/mpf-bench/measure/time_gpu_lanes.h"

namespace mpf::bench {

std::optional<GpuLaneTimes> timeGpuLanes(const LaneProgram &, const CommonTables &, ElementType,
                                         const CaseBlock &, double, const std::string &, uint64_t) {
  fail(ErrorKind::Device, "this mpf-bench was built without CUDA (MPF_ENABLE_CUDA)");
}

} // namespace mpf::bench
