#include "runtime/execute/cpu/instruction_sets.h"
#include "runtime/execute/cpu/kernels_impl.h"

namespace mpf {

constinit const CpuKernels<double> kBaselineF64 = makeKernels<double, 16, 4>("baseline");
constinit const CpuKernels<float> kBaselineF32 = makeKernels<float, 16, 4>("baseline");

} // namespace mpf
