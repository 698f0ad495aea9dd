// Finds the instruction sets of this x86-64 processor. Their names are those of the compiler.
#include "runtime/execute/cpu/instruction_sets.h"

#include <array>

namespace mpf {

namespace {

struct Sets {
  std::array<const CpuKernels<double> *, 3> f64{};
  std::array<const CpuKernels<float> *, 3> f32{};
  size_t count = 0;

  void add(const CpuKernels<double> &kernels64, const CpuKernels<float> &kernels32) {
    f64[count] = &kernels64;
    f32[count++] = &kernels32;
  }
};

const Sets &sets() {
  static const Sets found = [] {
    Sets s;
#ifdef MPF_HAS_AVX512
    if (__builtin_cpu_supports("avx512f") && __builtin_cpu_supports("avx512dq"))
      s.add(kAvx512F64, kAvx512F32);
#endif
    if (__builtin_cpu_supports("avx2") && __builtin_cpu_supports("fma"))
      s.add(kAvx2F64, kAvx2F32);
    s.add(kBaselineF64, kBaselineF32);
    return s;
  }();
  return found;
}

} // namespace

template <> const CpuKernels<double> *const *allCpuKernels<double>(size_t &count) {
  count = sets().count;
  return sets().f64.data();
}
template <> const CpuKernels<float> *const *allCpuKernels<float>(size_t &count) {
  count = sets().count;
  return sets().f32.data();
}
template <> const CpuKernels<double> &cpuKernels<double>() { return *sets().f64[0]; }
template <> const CpuKernels<float> &cpuKernels<float>() { return *sets().f32[0]; }

} // namespace mpf
