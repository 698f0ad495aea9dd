#include "dsl/support/memory/arena.h"

#include "dsl/support/check.h"
#include "dsl/support/table_layout.h"

#include <algorithm>

namespace mpf {

namespace {
/// A bound on the holes that may fail for their alignment: one fewer is tried.
constexpr size_t kMostTightHoles = 64;
} // namespace

void Arena::addHole(uint64_t offset, uint64_t size) {
  if (spare_.nodes.empty()) {
    sizeAt_.emplace(offset, size);
    holesBySize_.emplace(size, offset);
    return;
  }
  auto [byOffset, bySize] = std::move(spare_.nodes.back());
  spare_.nodes.pop_back();
  byOffset.key() = offset;
  byOffset.mapped() = size;
  bySize.value() = {size, offset};
  sizeAt_.insert(std::move(byOffset));
  holesBySize_.insert(std::move(bySize));
}

void Arena::removeHole(uint64_t offset, uint64_t size) {
  auto byOffset = sizeAt_.extract(offset);
  auto bySize = holesBySize_.extract({size, offset});
  MPF_CHECK(byOffset && bySize, "no hole of {} bytes at {}", size, offset);
  spare_.nodes.emplace_back(std::move(byOffset), std::move(bySize));
}

/// Takes a stretch from the hole [offset, offset + size). The rest on either side stays free.
uint64_t Arena::takeFrom(uint64_t offset, uint64_t size, uint64_t sizeBytes, uint64_t alignBytes) {
  removeHole(offset, size);
  const uint64_t start = roundUp(offset, alignBytes);
  if (start > offset)
    addHole(offset, start - offset);
  if (offset + size > start + sizeBytes)
    addHole(start + sizeBytes, offset + size - start - sizeBytes);
  return start;
}

uint64_t Arena::allocate(uint64_t sizeBytes, uint64_t alignBytes) {
  MPF_CHECK(sizeBytes > 0, "an empty stretch has no place");
  MPF_CHECK(alignBytes > 0, "{} bytes aligned to nothing", sizeBytes);
  // A hole of this size has room at every offset.
  const uint64_t surely = sizeBytes + alignBytes - 1;
  size_t looked = 0;
  for (auto hole = holesBySize_.lower_bound({sizeBytes, 0}); hole != holesBySize_.end(); ++hole) {
    if (++looked == kMostTightHoles)
      hole = holesBySize_.lower_bound({surely, 0});
    if (hole == holesBySize_.end())
      break;
    const auto [size, offset] = *hole;
    if (roundUp(offset, alignBytes) + sizeBytes <= offset + size)
      return takeFrom(offset, size, sizeBytes, alignBytes);
  }
  uint64_t begin = endBytes_;
  if (!sizeAt_.empty()) {
    const auto [lastOffset, lastSize] = *sizeAt_.rbegin();
    if (lastOffset + lastSize == endBytes_)
      begin = lastOffset;
  }
  const uint64_t start = roundUp(begin, alignBytes);
  if (begin < endBytes_)
    removeHole(begin, endBytes_ - begin);
  if (start > begin)
    addHole(begin, start - begin);
  endBytes_ = start + sizeBytes;
  return start;
}

void Arena::takeHoles(uint64_t offset, uint64_t size,
                      std::vector<std::pair<uint64_t, uint64_t>> &taken) {
  const uint64_t end = offset + size;
  MPF_CHECK(end <= endBytes_, "{} bytes at {} were never allocated, the end is {}", size, offset,
            endBytes_);
  auto hole = sizeAt_.upper_bound(offset);
  if (hole != sizeAt_.begin() && std::prev(hole)->first + std::prev(hole)->second > offset)
    --hole;
  while (hole != sizeAt_.end() && hole->first < end) {
    const auto [holeOffset, holeSize] = *hole;
    const uint64_t first = std::max(offset, holeOffset);
    const uint64_t last = std::min(end, holeOffset + holeSize);
    removeHole(holeOffset, holeSize);
    if (first > holeOffset)
      addHole(holeOffset, first - holeOffset);
    if (last < holeOffset + holeSize)
      addHole(last, holeOffset + holeSize - last);
    taken.emplace_back(first, last - first);
    hole = sizeAt_.lower_bound(last);
  }
}

uint64_t Arena::allocateApart(uint64_t sizeBytes, uint64_t alignBytes,
                              std::span<const std::pair<uint64_t, uint64_t>> apart) {
  std::vector<std::pair<uint64_t, uint64_t>> taken;
  for (const auto &[offset, size] : apart)
    takeHoles(offset, size, taken);
  const uint64_t start = allocate(sizeBytes, alignBytes);
  for (const auto &[offset, size] : taken)
    release(offset, size);
  return start;
}

void Arena::release(uint64_t offsetBytes, uint64_t sizeBytes) {
  MPF_CHECK(offsetBytes + sizeBytes <= endBytes_, "release of {} bytes at {} beyond the end {}",
            sizeBytes, offsetBytes, endBytes_);
  auto next = sizeAt_.lower_bound(offsetBytes);
  if (next != sizeAt_.begin()) {
    const auto [offset, size] = *std::prev(next);
    MPF_CHECK(offset + size <= offsetBytes, "stretch at {} is released twice", offsetBytes);
    if (offset + size == offsetBytes) {
      removeHole(offset, size);
      offsetBytes = offset;
      sizeBytes += size;
      next = sizeAt_.lower_bound(offsetBytes);
    }
  }
  if (next != sizeAt_.end() && next->first == offsetBytes + sizeBytes) {
    const auto [offset, size] = *next;
    removeHole(offset, size);
    sizeBytes += size;
  }
  addHole(offsetBytes, sizeBytes);
}

} // namespace mpf
