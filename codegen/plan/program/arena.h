// Assigns offsets by best fit in a stretch of memory that grows as needed. Computes offsets only;
// no memory is touched.
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
  /// The same, but the result shares no byte with the stretches (offset, size) of `apart`, whether
  /// they are free now or not. All of them must have been allocated before.
  uint64_t allocateApart(uint64_t sizeBytes, uint64_t alignBytes,
                         std::span<const std::pair<uint64_t, uint64_t>> apart);
  /// Gives back exactly what allocate gave. Neighbouring holes merge.
  void release(uint64_t offsetBytes, uint64_t sizeBytes);
  uint64_t highWaterBytes() const { return endBytes_; }

private:
  void addHole(uint64_t offset, uint64_t size);
  void removeHole(uint64_t offset, uint64_t size);
  uint64_t takeFrom(uint64_t offset, uint64_t size, uint64_t sizeBytes, uint64_t alignBytes);

  /// Removes the free parts of [offset, offset + size) from the holes and adds them to `taken`.
  void takeHoles(uint64_t offset, uint64_t size, std::vector<std::pair<uint64_t, uint64_t>> &taken);

  std::map<uint64_t, uint64_t> sizeAt_;                 ///< offset -> size of hole
  std::set<std::pair<uint64_t, uint64_t>> holesBySize_; ///< (size, offset)
  uint64_t endBytes_ = 0;
};

} // namespace mpf
