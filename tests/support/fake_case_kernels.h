// The kernels of arrays of cases (codegen/emit/preamble/mpf_case_arrays.cuh) for the fake driver of
// a GPU: their text is compiled for the host, and threads run one after the other.
#pragma once

#include <cmath>
#include <cstdint>
#include <cstring>

namespace mpf::fake {
namespace {

struct Place {
  unsigned x;
};
thread_local Place blockIdx, threadIdx;
inline double __longlong_as_double(long long bits) {
  double number = 0;
  std::memcpy(&number, &bits, sizeof(number));
  return number;
}
inline void atomicAdd(unsigned long long *sum, unsigned long long more) { *sum += more; }

#define __device__
#define __global__
#define __launch_bounds__(threads)
#define __align__(bytes) alignas(bytes)
#define MPF_LD(site, lvalue) (lvalue)
#define MPF_ST(site, lvalue, value) ((lvalue) = (value))
#include "codegen/emit/preamble/mpf_case_arrays.cuh"

/// Runs a kernel whose only argument is a struct with the number of cases.
template <class Launch> void runCases(void (*kernel)(Launch), void **arguments) {
  Launch launch;
  std::memcpy(&launch, arguments[0], sizeof(launch));
  for (int i = 0; i < launch.count; ++i) {
    blockIdx.x = static_cast<unsigned>(i) / MPF_CASE_THREADS;
    threadIdx.x = static_cast<unsigned>(i) % MPF_CASE_THREADS;
    kernel(launch);
  }
}

} // namespace
} // namespace mpf::fake
