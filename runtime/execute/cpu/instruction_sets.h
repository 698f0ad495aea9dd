// The kernel tables that the files kernels_<set>.cpp define. Only cpuKernels() may use them:
// calling a kernel of a set that the processor lacks is an illegal instruction.
#pragma once

#include "runtime/execute/cpu/cpu_kernels.h"

namespace mpf {

extern const CpuKernels<double> kBaselineF64, kAvx2F64, kAvx512F64;
extern const CpuKernels<float> kBaselineF32, kAvx2F32, kAvx512F32;

} // namespace mpf
