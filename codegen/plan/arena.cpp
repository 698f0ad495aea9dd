#include "codegen/plan/arena.h"

#include "dsl/support/check.h"

namespace mpf {

void Arena::addHole(uint64_t offset, uint64_t size) {
  sizeAt_.emplace(offset, size);
  holesBySize_.emplace(size, offset);
}

void Arena::removeHole(uint64_t offset, uint64_t size) {
  sizeAt_.erase(offset);
  holesBySize_.erase({size, offset});
}

uint64_t Arena::allocate(uint64_t sizeBytes) {
  MPF_CHECK(sizeBytes > 0, "an empty stretch has no place");
  if (const auto fit = holesBySize_.lower_bound({sizeBytes, 0}); fit != holesBySize_.end()) {
    const auto [size, offset] = *fit;
    removeHole(offset, size);
    if (size > sizeBytes)
      addHole(offset + sizeBytes, size - sizeBytes);
    return offset;
  }
  uint64_t offset = endBytes_;
  if (!sizeAt_.empty()) {
    const auto [lastOffset, lastSize] = *sizeAt_.rbegin();
    if (lastOffset + lastSize == endBytes_) {
      removeHole(lastOffset, lastSize);
      offset = lastOffset;
    }
  }
  endBytes_ = offset + sizeBytes;
  return offset;
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
