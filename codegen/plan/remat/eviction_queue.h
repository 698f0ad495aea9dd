// Keeps the messages in memory in the order in which they are good to drop (resident_messages.h):
// large ones first, and among them those that are needed last. The order is kept up to date,
// because looking at all messages for each choice would take quadratic time in long programs.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <set>
#include <utility>
#include <vector>

namespace mpf {

/// A queue of places in memory, which the caller numbers from 0. A change takes logarithmic time.
/// Not thread-safe.
class EvictionQueue {
public:
  /// Enters a place, or changes its key. A later `nextUse` makes it a better candidate. A place of
  /// 0 bytes is no candidate.
  void put(uint32_t place, uint64_t bytes, size_t nextUse);
  /// Removes a place that was entered before; does nothing when it was removed since.
  void erase(uint32_t place);

  /// Up to `most` places, those of the latest use first. Only places in the size class (power of
  /// two) of the largest place and in the three classes below it count.
  std::vector<uint32_t> latest(size_t most) const;

private:
  struct Key {
    size_t sizeClass = 0; ///< number of binary digits of the bytes; 0: not there
    size_t reversedUse = 0;
  };
  using Ordered = std::set<std::pair<size_t, uint32_t>>; ///< reversed use, place

  std::vector<Key> keys_; ///< by place
  std::array<Ordered, 65> bySize_;
};

} // namespace mpf
