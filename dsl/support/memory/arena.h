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

/// Each call takes logarithmic time; allocateApart also takes time for every hole in the stretches
/// that it avoids. Throws Error(Internal) for wrong arguments that it notices. Not thread-safe.
class Arena {
public:
  /// Returns the offset of a free stretch of `sizeBytes` > 0 at a multiple of `alignBytes` > 0. It
  /// is in the smallest hole that fits, the lowest among equals. If the smallest 63 holes of enough
  /// bytes all fail for their alignment, only holes that fit at any alignment are tried. Without a
  /// hole it is at the end, extending a hole that reaches the end.
  uint64_t allocate(uint64_t sizeBytes, uint64_t alignBytes = 1);
  /// Allocates like `allocate` a stretch that shares no byte with the stretches (offset, size) of
  /// `apart`, free or not. All of them must have been allocated before.
  uint64_t allocateApart(uint64_t sizeBytes, uint64_t alignBytes,
                         std::span<const std::pair<uint64_t, uint64_t>> apart);
  /// Frees a stretch: exactly what one call of allocate or allocateApart returned. Neighbouring
  /// holes merge.
  void release(uint64_t offsetBytes, uint64_t sizeBytes);
  uint64_t highWaterBytes() const { return endBytes_; } ///< the size that the memory must have

private:
  using SizeAt = std::map<uint64_t, uint64_t>;
  using BySize = std::set<std::pair<uint64_t, uint64_t>>;

  /// Nodes of removed holes: the next holes take them, and allocate none. Copies of an arena have
  /// none.
  struct Spare {
    Spare() = default;
    Spare(const Spare &) {}
    Spare &operator=(const Spare &) { return *this; }
    std::vector<std::pair<SizeAt::node_type, BySize::node_type>> nodes;
  };

  void addHole(uint64_t offset, uint64_t size);
  void removeHole(uint64_t offset, uint64_t size);
  uint64_t takeFrom(uint64_t offset, uint64_t size, uint64_t sizeBytes, uint64_t alignBytes);

  /// Removes the free parts of [offset, offset + size) from the holes and adds them to `taken`.
  void takeHoles(uint64_t offset, uint64_t size, std::vector<std::pair<uint64_t, uint64_t>> &taken);

  SizeAt sizeAt_;      ///< offset -> size of hole
  BySize holesBySize_; ///< (size, offset)
  Spare spare_;
  uint64_t endBytes_ = 0;
};

} // namespace mpf
