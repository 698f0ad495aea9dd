#include "runtime/execute/cpu/cpu_kernels.h"
#include "runtime/execute/lanes/kernels/lane_kernels.h"

#include <string_view>

namespace mpf {

namespace {

/// Returns the kernels of the instruction set that cpuKernels() uses.
template <class T>
const LaneKernels<T> &pick(const LaneKernels<T> &baseline,
                           [[maybe_unused]] const LaneKernels<T> *avx2,
                           [[maybe_unused]] const LaneKernels<T> *avx512) {
  const std::string_view name = cpuKernels<T>().name;
  for (const LaneKernels<T> *kernels : {avx2, avx512})
    if (kernels != nullptr && kernels->name == name)
      return *kernels;
  return baseline;
}

} // namespace

#ifdef MPF_HAS_AVX2
#define MPF_LANE_AVX2(type) &kLaneAvx2##type
#else
#define MPF_LANE_AVX2(type) nullptr
#endif
#ifdef MPF_HAS_AVX512
#define MPF_LANE_AVX512(type) &kLaneAvx512##type
#else
#define MPF_LANE_AVX512(type) nullptr
#endif

template <> const LaneKernels<double> &laneKernels<double>() {
  return pick<double>(kLaneBaselineF64, MPF_LANE_AVX2(F64), MPF_LANE_AVX512(F64));
}
template <> const LaneKernels<float> &laneKernels<float>() {
  return pick<float>(kLaneBaselineF32, MPF_LANE_AVX2(F32), MPF_LANE_AVX512(F32));
}

} // namespace mpf
