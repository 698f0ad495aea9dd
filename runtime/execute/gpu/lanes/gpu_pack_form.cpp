#include "runtime/execute/gpu/lanes/gpu_pack_form.h"

#include <algorithm>

namespace mpf {

namespace {

constexpr int32_t kSigned8 = 0, kUnsigned8 = 4; ///< GpuCaseColumn::item of bytes
constexpr int32_t kMostByteStates = 127;
constexpr int32_t kLeastTileRows = 128; ///< of a warp

/// The numbers of the columns that are no constants.
struct Cells {
  const GpuCaseColumn *first = nullptr;
  CudaDevicePointer end = 0;
  int64_t bytes = 0; ///< of a case
  bool areBytes = true, areAlike = true, haveOneStride = true;
};

int64_t itemBytes(const GpuCaseColumn &column) { return int64_t{1} << column.item % 4; }

Cells cellsOf(const std::vector<GpuCaseColumn> &packed) {
  Cells cells;
  for (const GpuCaseColumn &column : packed) {
    cells.areBytes = cells.areBytes && column.states <= kMostByteStates;
    if (column.cells == 0)
      continue;
    const bool isByte = column.item == kSigned8 || column.item == kUnsigned8;
    cells.areBytes = cells.areBytes && isByte;
    if (cells.first != nullptr) {
      cells.areAlike = cells.areAlike && column.item == cells.first->item;
      cells.haveOneStride = cells.haveOneStride && column.stride == cells.first->stride;
    }
    if (cells.first == nullptr || column.cells < cells.first->cells)
      cells.first = &column;
    cells.end = std::max(cells.end, column.cells + static_cast<uint64_t>(itemBytes(column)));
    cells.bytes += itemBytes(column);
  }
  return cells;
}

bool areColumns(const std::vector<GpuCaseColumn> &packed) {
  return std::ranges::all_of(packed, [](const GpuCaseColumn &column) {
    return column.cells == 0 || (column.stride == 1 && column.cells % 4 == 0);
  });
}

} // namespace

uint32_t GpuPackForm::sharedBytes() const {
  constexpr int32_t kRowFlagBytes = 4, kShiftBytes = 16;
  return areRows() ? static_cast<uint32_t>(tileRows * (rowBytes + kRowFlagBytes) + kShiftBytes) : 0;
}

uint32_t GpuPackForm::cases() const {
  return areRows() ? static_cast<uint32_t>(tileRows) : 4 * kCaseThreads;
}

GpuPackForm packFormOf(const std::vector<GpuCaseColumn> &packed, const LaneKernel &kernel) {
  const Cells cells = cellsOf(packed);
  GpuPackForm form;
  if (cells.first == nullptr)
    return form;
  const bool areBytes = cells.areBytes && cells.areAlike && kernel.codesPerWord == 4;
  if (areBytes && areColumns(packed)) {
    form.kind = GpuPackForm::Columns;
    form.isUnsigned = cells.first->item == kUnsigned8;
    return form;
  }
  const int64_t stride = cells.first->stride;
  const uint64_t span = cells.end - cells.first->cells;
  // Rows are copied whole. They are worth it where at least half of their bytes are read.
  if (!cells.haveOneStride || stride < 1 || stride > kCaseTileBytes ||
      span > static_cast<uint64_t>(stride) || stride > 2 * cells.bytes)
    return form;
  GpuPackForm rows = form;
  rows.rows = cells.first->cells;
  rows.rowBytes = static_cast<int32_t>(stride);
  rows.spanBytes = static_cast<int32_t>(span);
  rows.kind = areBytes ? GpuPackForm::Rows : GpuPackForm::WideRows;
  rows.isUnsigned = areBytes && cells.first->item == kUnsigned8;
  for (rows.tileRows = kCaseThreads; rows.tileRows >= kLeastTileRows; rows.tileRows /= 2)
    if (rows.sharedBytes() <= kCaseTileBytes)
      return rows;
  return form;
}

std::vector<GpuByteWord> byteWordsOf(const std::vector<GpuCaseColumn> &packed,
                                     const GpuPackForm &form, size_t first, size_t count) {
  std::vector<GpuByteWord> words(count);
  for (size_t place = 4 * first; place < 4 * (first + count); ++place) {
    GpuByteWord &word = words[place / 4 - first];
    const auto byte = [&](uint32_t value) { return value << 8 * (place % 4); };
    if (place >= packed.size() || packed[place].cells == 0)
      word.hidden |= byte(255);
    if (place >= packed.size())
      continue;
    const GpuCaseColumn &column = packed[place];
    word.states |= byte(static_cast<uint32_t>(column.states));
    if (column.cells == 0)
      word.fill |= byte(static_cast<uint32_t>(column.fill));
    else if (form.kind == GpuPackForm::Rows)
      word.places[place % 4] = static_cast<int32_t>(column.cells - form.rows);
    word.cells[place % 4] = column.cells;
  }
  return words;
}

} // namespace mpf
