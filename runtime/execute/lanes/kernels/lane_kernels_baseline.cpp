#include "runtime/execute/lanes/kernels/make_lane_kernels.h"

namespace mpf {

constinit const LaneKernels<double> kLaneBaselineF64 = makeLaneKernels<double, 16>("baseline");
constinit const LaneKernels<float> kLaneBaselineF32 = makeLaneKernels<float, 16>("baseline");

} // namespace mpf
