#include "runtime/execute/cpu/instruction_sets.h"
#include "runtime/execute/cpu/kernels_impl.h"
#include "runtime/execute/cpu/masked_avx2.h"

namespace mpf {

constinit const CpuKernels<double> kAvx2F64 = makeKernels<double, 32, 6>("avx2");
constinit const CpuKernels<float> kAvx2F32 = makeKernels<float, 32, 6>("avx2");

} // namespace mpf
