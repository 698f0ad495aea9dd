// Chooses the kernel of codegen/emit/preamble/mpf_pack_cases.cuh that packs columns of cases on the
// device into words of codes, and makes its arguments.
#pragma once

#include "codegen/bundle/lanes/lane_kernel.h"
#include "runtime/execute/gpu/cuda_library.h"

#include <cstddef>
#include <cstdint>
#include <vector>

namespace mpf {

inline constexpr uint32_t kCaseThreads = 256;               ///< of a block, at most
inline constexpr uint32_t kCaseTileBytes = 48 << 10;        ///< shared memory of any block
inline constexpr size_t kCaseColumns = 64, kCaseWords = 16; ///< of one launch

// These structs have the kernels' layout.
struct GpuCaseColumn {
  CudaDevicePointer cells = 0;
  int64_t stride = 0;
  int32_t item = 0, states = 0, fill = 0, place = 0;
};
struct GpuByteWord {
  uint32_t states, hidden, fill;
  int32_t places[4];
  CudaDevicePointer cells[4];
};
struct GpuPackLaunch {
  CudaDevicePointer words = 0, flags = 0, counts = 0, rows = 0;
  int64_t pitch = 0;
  int32_t count = 0, columnCount = 0, wordCount = 0;
  int32_t isFirst = 0, isLast = 0, isUnsigned = 0;
  int32_t rowBytes = 0, tileRows = 0, spanBytes = 0, codesPerWord = 0;
  union {
    GpuCaseColumn columns[kCaseColumns] = {};
    GpuByteWord bytes[kCaseWords];
  };
};
/// The kernel that packs columns. Any: for all columns. Columns: for bytes without gaps, column by
/// column. Rows: for bytes that lie row by row. WideRows: for cells of any size in rows.
struct GpuPackForm {
  enum Kind { Any, Columns, Rows, WideRows };
  Kind kind = Any;
  bool isUnsigned = false;
  CudaDevicePointer rows = 0; ///< the first row
  int32_t rowBytes = 0, tileRows = 0;
  int32_t spanBytes = 0; ///< of a row, from the first column to the last

  bool areRows() const { return kind == Rows || kind == WideRows; }
  uint32_t sharedBytes() const; ///< of a block
  uint32_t cases() const;       ///< of a block
};

/// Chooses the kernel for packed columns.
GpuPackForm packFormOf(const std::vector<GpuCaseColumn> &packed, const LaneKernel &kernel);
/// The columns of words `first` to `first + count` for the two kernels of bytes.
std::vector<GpuByteWord> byteWordsOf(const std::vector<GpuCaseColumn> &packed,
                                     const GpuPackForm &form, size_t first, size_t count);

} // namespace mpf
