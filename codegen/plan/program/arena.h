// Best-fit assignment of offsets in a stretch that grows as needed. No memory is touched.
#pragma once

#include <cstdint>
#include <map>
#include <set>
#include <span>
#include <utility>
#include <vector>

namespace mpf {

/// Logarithmic time per call. Not thread-safe.
class Arena {
public:
  /// Offset of a free stretch of `sizeBytes` > 0 at a multiple of `alignBytes`: the smallest hole
  /// that fits, the lowest among equals; else the end, extending a hole that reaches it.
  uint64_t allocate(uint64_t sizeBytes, uint64_t alignBytes = 1);
  /// The same, with no byte in the stretches (offset, size) of `apart`, free now or not; all of
  /// them were allocated once.
  uint64_t allocateApart(uint64_t sizeBytes, uint64_t alignBytes,
                         std::span<const std::pair<uint64_t, uint64_t>> apart);
  /// Gives back exactly what allocate gave. Neighbouring holes merge.
  void release(uint64_t offsetBytes, uint64_t sizeBytes);
  uint64_t highWaterBytes() const { return endBytes_; }

private:
  void addHole(uint64_t offset, uint64_t size);
  void removeHole(uint64_t offset, uint64_t size);
  uint64_t takeFrom(uint64_t offset, uint64_t size, uint64_t sizeBytes, uint64_t alignBytes);

  /// What is free of [offset, offset + size) is so no more; added to `taken`.
  void takeHoles(uint64_t offset, uint64_t size, std::vector<std::pair<uint64_t, uint64_t>> &taken);

  std::map<uint64_t, uint64_t> sizeAt_;                 ///< offset -> size of hole
  std::set<std::pair<uint64_t, uint64_t>> holesBySize_; ///< (size, offset)
  uint64_t endBytes_ = 0;
};

} // namespace mpf
