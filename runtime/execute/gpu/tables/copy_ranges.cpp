#include "runtime/execute/gpu/tables/copy_ranges.h"

#include "dsl/support/check.h"
#include "dsl/support/table_layout.h"

#include <algorithm>

namespace mpf {

std::vector<CopyRange> joinRanges(std::vector<CopyRange> ranges, uint64_t gapBytes) {
  std::sort(ranges.begin(), ranges.end(),
            [](const CopyRange &a, const CopyRange &b) { return a.firstBytes < b.firstBytes; });
  std::vector<CopyRange> joined;
  for (const CopyRange &range : ranges) {
    if (range.sizeBytes == 0)
      continue;
    if (!joined.empty() && range.firstBytes <= joined.back().endBytes() + gapBytes)
      joined.back().sizeBytes =
          std::max(joined.back().endBytes(), range.endBytes()) - joined.back().firstBytes;
    else
      joined.push_back(range);
  }
  return joined;
}

ArenaImage::ArenaImage(std::vector<CopyRange> ranges) {
  for (const CopyRange &range : ranges) {
    parts_.push_back({range, sizeBytes_});
    sizeBytes_ += roundUp(range.sizeBytes, tableAlignBytes(range.sizeBytes));
  }
}

uint64_t ArenaImage::placeOf(uint64_t arenaBytes) const {
  const auto behind = std::upper_bound(
      parts_.begin(), parts_.end(), arenaBytes,
      [](uint64_t bytes, const Part &part) { return bytes < part.range.firstBytes; });
  MPF_CHECK(behind != parts_.begin() && arenaBytes < std::prev(behind)->range.endBytes(),
            "byte {} of the arena is not in the image", arenaBytes);
  const Part &part = *std::prev(behind);
  return part.atBytes + (arenaBytes - part.range.firstBytes);
}

} // namespace mpf
