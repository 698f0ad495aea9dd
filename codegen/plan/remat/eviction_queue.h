// The messages in memory in the order in which they are worth a look when one has to go
// (resident_messages.h): large ones, and of those the ones that are needed last. Kept up to date as
// needs change, because a look at all of them for each choice takes quadratic time in long
// programs.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <set>
#include <utility>
#include <vector>

namespace mpf {

/// Of places, which the owner numbers. Not thread-safe. A change takes logarithmic time.
class EvictionQueue {
public:
  /// Enters a place or moves it. `nextUse`: the later, the sooner it is looked at. What takes no
  /// bytes is no candidate.
  void put(uint32_t place, uint64_t bytes, size_t nextUse);
  /// Takes a place out that was put before; nothing when that was done already.
  void erase(uint32_t place);

  /// Up to `most` places, latest use first: of those within three binary orders of the largest.
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
