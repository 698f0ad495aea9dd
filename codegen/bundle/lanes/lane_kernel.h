// A GPU's kernel for a lane program, as plain data: its text, its launch, and the layout of the
// data that it reads and writes. The kernel is made by codegen/emit/lanes and launched by
// runtime/execute/gpu/lanes/gpu_lanes.h.
//
//   void NAME(const unsigned *codes, const T *weights, int pitch, int count, const T *image,
//             T *results, int *exponents, unsigned *states, T *scratch)
//
// `scratch` has scratchElems entries for each block.
// Case i of `count` reads word w of its codes at codes[w * pitch + i] and row r of its weights at
// weights[r * pitch + i].
// It writes entry e of all outputs, one after the other, to results[e * pitch + i]. The exponent of
// output exponentOutputs[x] goes to exponents[x * pitch + i]. Programs that decode write the state
// of variable v to states[v * pitch + i].
// A case that leaves linear arithmetic gets NaN as its first result; its other results then mean
// nothing. A share of a posterior that would vanish is written as a number other than 0 that is not
// normal (mayVanish of linear_plan.h).
#pragma once

#include "dsl/support/strided_operation.h"

#include <algorithm>
#include <cstdint>
#include <string>
#include <vector>

namespace mpf {

/// The place of a shared table in the image: rows of `rowElems` entries, padded so that each row
/// can be read by wide loads.
struct LaneImageTable {
  uint32_t table = 0; ///< number in the lane program
  uint64_t offsetElems = 0;
  uint64_t rowElems = 1, pitchElems = 1;
};

/// A copy of a shared table's entries in the order in which a kernel multiplies by them. Entry e of
/// row r is at offsetElems + r * pitchElems + e. `rows` and `row` have the table's strides, most
/// significant first.
struct LaneImageCopy {
  uint32_t table = 0; ///< number in the lane program
  uint64_t baseElems = 0, offsetElems = 0;
  std::vector<StridedPlace> rows, row;
  uint64_t pitchElems = 1;
};

struct LaneKernel {
  std::string name;   ///< entry point
  std::string source; ///< CUDA text, self-contained
  uint32_t blockThreads = 128;
  uint32_t blockCases = 128; ///< cases that a block answers at a time
  uint32_t sharedBytes = 0;  ///< dynamic shared memory
  uint32_t pickedBytes = 0;  ///< the part of sharedBytes for tables that all cases share
  /// All columns of the schema in the order in which words hold their codes; the first one is in
  /// the lowest bits of word 0.
  std::vector<uint32_t> codeOrder;
  uint32_t codesPerWord = 4; ///< 4, 2 or 1, of 8, 16 or 32 bits
  std::vector<LaneImageTable> image;
  std::vector<LaneImageCopy> copies;
  uint64_t imageElems = 0;
  uint64_t scratchElems = 0;             ///< of each block
  uint64_t resultElems = 0;              ///< entries of all outputs of one case
  std::vector<uint32_t> exponentOutputs; ///< outputs with exponents by lane (LinearPlan)

  uint64_t wordCount() const { return (codeOrder.size() + codesPerWord - 1) / codesPerWord; }
};

/// Returns the offset in a block's shared memory of the rows that a kernel with a thread for each
/// case reads in place of words (codegen/emit/preamble/mpf_lane_rows.cuh).
inline uint64_t laneTilesOffset(const LaneKernel &kernel) {
  constexpr uint64_t kAlignBytes = 16;
  return (kernel.sharedBytes + kAlignBytes - 1) / kAlignBytes * kAlignBytes;
}

/// The bytes of a multiprocessor's shared memory that the system takes for each block.
inline constexpr uint64_t kSystemBlockBytes = 1 << 10;

/// Blocks that are resident on a multiprocessor at a time, by threads and shared memory; at
/// least 1.
inline uint64_t residentBlocks(uint64_t blockThreads, uint64_t sharedBytes, uint64_t threadsPerSm,
                               uint64_t sharedBytesPerSm) {
  return std::max<uint64_t>(1, std::min(threadsPerSm / blockThreads,
                                        sharedBytesPerSm / (sharedBytes + kSystemBlockBytes)));
}
inline uint64_t residentBlocks(const LaneKernel &kernel, uint64_t threadsPerSm,
                               uint64_t sharedBytesPerSm) {
  return residentBlocks(kernel.blockThreads, kernel.sharedBytes, threadsPerSm, sharedBytesPerSm);
}

} // namespace mpf
