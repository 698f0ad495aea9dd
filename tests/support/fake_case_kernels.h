// The kernels of arrays of cases (codegen/emit/preamble/mpf_pack_cases.cuh) for the fake driver of
// a GPU: their text is compiled for the host, and threads run one after the other.
#pragma once

#include <algorithm>
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
struct alignas(16) int4 {
  int x, y, z, w;
};
struct alignas(16) float4 {
  float x, y, z, w;
};
struct alignas(16) double2 {
  double x, y;
};
inline void atomicAdd(unsigned long long *sum, unsigned long long more) { *sum += more; }
inline void atomicMax(unsigned *most, unsigned number) { *most = std::max(*most, number); }
inline void __syncthreads() {}
inline void __syncwarp() {}

#define __device__
#define __global__
#define __launch_bounds__(threads)
#define __align__(bytes) alignas(bytes)
#define MPF_LD(site, lvalue) (lvalue)
#define MPF_ST(site, lvalue, value) ((lvalue) = (value))
#define MPF_ST_WIDE MPF_ST
#define MPF_DYN_SHARED(type, name) static type name[64 << 10]
#define MPF_GRID_WAIT()
#define MPF_COPY_ASYNC(toSite, to, fromSite, from, inside) ((to) = (from))
#define MPF_COPY_COMMIT()
#define MPF_COPY_WAIT(groups)
#include "codegen/emit/preamble/mpf_byte_words.cuh"
#include "codegen/emit/preamble/mpf_case_numbers.cuh"
#include "codegen/emit/preamble/mpf_lane_rows.cuh"
#include "codegen/emit/preamble/mpf_pack_cases.cuh"
#include "codegen/emit/preamble/mpf_write_answers.cuh"

/// Does the work of mpf_pack_rows, whose threads wait for each other.
inline void packRows(void **arguments) {
  MpfPackLaunch launch;
  std::memcpy(&launch, arguments[0], sizeof(launch));
  for (int i = 0; i < launch.count; ++i) {
    unsigned wrong = 0;
    for (int w = 0; w < launch.wordCount; ++w) {
      const MpfByteWord &word = launch.bytes[w];
      const unsigned bytes = mpfBytesOfRow<0>(launch.rows + int64_t{i} * launch.rowBytes, word);
      launch.words[w * launch.pitch + i] =
          mpfCodesOfBytes(bytes, word, launch.isUnsigned != 0, wrong);
    }
    mpfFlag(launch, i, wrong != 0);
  }
}

/// Answers cases of rows as echoCodes answers words; `answerOf` is the answer to the first word.
template <class AnswerOf>
void answerRows(void **arguments, int resultsAt, int countAt, AnswerOf answerOf) {
  MpfLaneRows source;
  std::memcpy(&source, arguments[0], sizeof(source));
  int count = 0;
  double *results = nullptr;
  std::memcpy(&count, arguments[countAt], sizeof(count));
  std::memcpy(&results, arguments[resultsAt], sizeof(results));
  for (int i = 0; i < count; ++i) {
    unsigned first = 0, wrong = 0;
    for (int w = MPF_CASE_WORDS - 1; w >= 0; --w) {
      const MpfByteWord &word = source.words[w];
      if ((word.states | word.hidden) == 0) // the kernel has fewer words
        continue;
      const unsigned bytes = mpfBytesOfRow<0>(source.rows + int64_t{i} * source.rowBytes, word);
      first = mpfCodesOfBytes(bytes, word, source.isUnsigned != 0, wrong);
    }
    const double answer = answerOf(first);
    if (source.logs != nullptr) {
      mpfStoreLog(source, i, wrong != 0, answer);
    } else {
      results[i] = answer;
      mpfStoreFlag(source, i, wrong != 0);
    }
  }
}

/// Does the work of mpf_pack_wide_rows, whose threads wait for each other.
inline void packWideRows(void **arguments) {
  MpfPackLaunch launch;
  std::memcpy(&launch, arguments[0], sizeof(launch));
  for (int64_t i = 0; i < launch.count; ++i) {
    unsigned words[MPF_THREAD_CASES], wrong = 0;
    for (int w = 0; w < launch.wordCount; ++w) {
      mpfPackWord(launch, w, i, 1, 1, launch.rows + i * launch.rowBytes, words, wrong);
      launch.words[w * launch.pitch + i] = words[0];
    }
    mpfFlag(launch, i, (wrong & 1) != 0);
  }
}

/// Runs blocks of a kernel whose only argument is a struct.
template <class Launch> void runBlocks(void (*kernel)(Launch), void **arguments, unsigned blocks) {
  Launch launch;
  std::memcpy(&launch, arguments[0], sizeof(launch));
  for (blockIdx.x = 0; blockIdx.x < blocks; ++blockIdx.x)
    for (threadIdx.x = 0; threadIdx.x < MPF_CASE_THREADS; ++threadIdx.x)
      kernel(launch);
}

} // namespace
} // namespace mpf::fake
