// The messages in memory, ordered by how good they are to drop (resident_messages.h): large ones
// first, and among them those that are needed last. The order is kept up to date, because looking
// at all messages for each choice would take quadratic time in long programs.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <set>
#include <utility>
#include <vector>

namespace mpf {

/// Holds places in memory, which the caller numbers. Not thread-safe. A change takes logarithmic
/// time.
class EvictionQueue {
public:
  /// Enters a place, or moves it. A later `nextUse` makes it a better candidate. A place of no
  /// bytes is no candidate.
  void put(uint32_t place, uint64_t bytes, size_t nextUse);
  /// Removes a place; does nothing when it is not there.
  void erase(uint32_t place);

  /// Up to `most` places, latest use first. Only places within three size classes (powers of two)
  /// of the largest one count.
  std::vector<uint32_t> latest(size_t most) const;

private:
  struct Key {
    size_t sizeClass = 0; ///< binary orders of bytes, rounded up; 0: not there
    size_t reversedUse = 0;
  };
  using Ordered = std::set<std::pair<size_t, uint32_t>>; ///< reversed use, place

  std::vector<Key> keys_; ///< by place
  std::array<Ordered, 65> bySize_;
};

} // namespace mpf
