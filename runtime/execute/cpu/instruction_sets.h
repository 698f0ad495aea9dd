// The kernel tables that kernels_<set>.cpp define. Only the selection may use them: calling one
// that the processor lacks ends in an illegal instruction.
#pragma once

#include "runtime/execute/cpu/cpu_kernels.h"

namespace mpf {

extern const CpuKernels<double> kBaselineF64, kAvx2F64, kAvx512F64;
extern const CpuKernels<float> kBaselineF32, kAvx2F32, kAvx512F32;

} // namespace mpf
