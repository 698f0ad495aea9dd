#include "runtime/execute/cpu/instruction_sets.h"
#include "runtime/execute/cpu/kernels_impl.h"
#include "runtime/execute/cpu/masked_avx2.h"
#include "runtime/execute/cpu/masked_avx512.h"

namespace mpf {

constinit const CpuKernels<double> kAvx512F64 = makeKernels<double, 64, 12>("avx512");
constinit const CpuKernels<float> kAvx512F32 = makeKernels<float, 64, 12>("avx512");

} // namespace mpf
