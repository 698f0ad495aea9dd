#include "runtime/execute/gpu/lanes/gpu_lane_rows.h"

#include "dsl/support/check.h"

#include <algorithm>
#include <fmt/format.h>
#include <string_view>

namespace mpf {

extern const std::string_view kLaneRowsText;

namespace {

constexpr int32_t kWarpCases = 32;
constexpr uint64_t kUsualBlocks = 4; ///< on a multiprocessor: registers allow no more
constexpr std::string_view kNaming = "\n#define MPF_LANES ";
constexpr std::string_view kEntry = "MPF_LANES(MPF_LANE_SOURCE, ";

/// Returns the bytes of 32 rows, wherever the first begins within 16 bytes.
int32_t tileBytesOf(int32_t rowBytes) {
  constexpr int32_t kCopyBytes = 16;
  return (kWarpCases * rowBytes + 2 * kCopyBytes - 1) / kCopyBytes * kCopyBytes;
}

} // namespace

std::string laneRowsName(const LaneKernel &kernel) { return "rows_" + kernel.name; }

std::string laneRowsSource(const LaneKernel &kernel, int moreBlocks) {
  std::string source = kernel.source;
  const size_t naming = source.find(kNaming);
  MPF_CHECK(naming != std::string::npos, "kernel {} has no line that names it", kernel.name);
  source.replace(naming + kNaming.size(), kernel.name.size(), laneRowsName(kernel));
  return source.insert(
      naming + 1, fmt::format("#define MPF_LANE_MORE_BLOCKS {}\n{}", moreBlocks, kLaneRowsText));
}

bool mayReadRows(const LaneKernel &kernel) {
  return kernel.codesPerWord == 4 && kernel.wordCount() <= kCaseWords &&
         kernel.source.find(kEntry) != std::string::npos;
}

uint32_t laneRowsShared(const LaneKernel &kernel, int32_t tileBytes) {
  const uint64_t warps = kernel.blockThreads / kWarpCases;
  return static_cast<uint32_t>(laneTilesOffset(kernel) +
                               2 * warps * static_cast<uint64_t>(tileBytes));
}

bool fitsRows(const LaneKernel &kernel, const GpuPackForm &form, const DeviceProperties &device) {
  const uint64_t shared = laneRowsShared(kernel, tileBytesOf(form.rowBytes));
  const auto blocks = [&](uint64_t sharedBytes) {
    return residentBlocks(kernel.blockThreads, sharedBytes, device.threadsPerSm,
                          device.sharedBytesPerSm);
  };
  return shared <= device.sharedBytesPerBlock &&
         blocks(shared) >= std::min(blocks(kernel.sharedBytes), kUsualBlocks);
}

GpuLaneRows laneRowsOf(const std::vector<GpuCaseColumn> &packed, const GpuPackForm &form,
                       const LaneKernel &kernel) {
  GpuLaneRows rows;
  rows.rows = form.rows;
  rows.rowBytes = form.rowBytes;
  rows.spanBytes = form.spanBytes;
  rows.tileBytes = tileBytesOf(form.rowBytes);
  rows.isUnsigned = form.isUnsigned ? 1 : 0;
  std::ranges::copy(byteWordsOf(packed, form, 0, kernel.wordCount()), rows.words);
  return rows;
}

} // namespace mpf
