#include "runtime/execute/lanes/kernels/make_lane_kernels.h"

namespace mpf {

constinit const LaneKernels<double> kLaneAvx512F64 = makeLaneKernels<double, 64>("avx512");
constinit const LaneKernels<float> kLaneAvx512F32 = makeLaneKernels<float, 64>("avx512");

} // namespace mpf
