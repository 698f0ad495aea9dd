#include "runtime/execute/lanes/kernels/make_lane_kernels.h"

namespace mpf {

constinit const LaneKernels<double> kLaneAvx2F64 = makeLaneKernels<double, 32>("avx2");
constinit const LaneKernels<float> kLaneAvx2F32 = makeLaneKernels<float, 32>("avx2");

} // namespace mpf
