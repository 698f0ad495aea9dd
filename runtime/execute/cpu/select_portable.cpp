// Kernels for processors other than x86-64: the vector types of the baseline, as the compiler maps
// them.
#include "runtime/execute/cpu/instruction_sets.h"

namespace mpf {

template <> const CpuKernels<double> *const *allCpuKernels<double>(size_t &count) {
  static constexpr const CpuKernels<double> *kSets[] = {&kBaselineF64};
  count = 1;
  return kSets;
}
template <> const CpuKernels<float> *const *allCpuKernels<float>(size_t &count) {
  static constexpr const CpuKernels<float> *kSets[] = {&kBaselineF32};
  count = 1;
  return kSets;
}
template <> const CpuKernels<double> &cpuKernels<double>() { return kBaselineF64; }
template <> const CpuKernels<float> &cpuKernels<float>() { return kBaselineF32; }

} // namespace mpf
