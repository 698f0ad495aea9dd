// Finds the state that a cell names. Each list of labels has a hash table; a look-up needs no
// allocation and no branch that is hard to predict.
#pragma once

#include <cstdint>
#include <cstring>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace mpf {

/// Texts and their codes. Safe to read from several threads.
class StateLookup {
public:
  /// Bytes behind a cell that find() may read; their values do not matter.
  static constexpr size_t kPaddingBytes = 8;
  static constexpr uint32_t kNone = UINT32_MAX;

  /// A text and its code. The first of several entries with equal texts counts.
  using Entry = std::pair<std::string, uint32_t>;
  explicit StateLookup(std::vector<Entry> entries);

  /// Returns the code of the text [cell, cell + length); kNone: no entry has this text.
  uint32_t find(const char *cell, size_t length) const {
    const Key key = keyOf(cell, length);
    for (size_t at = slotOf(key);; at = (at + 1) & (slots_.size() - 1)) {
      const Slot &slot = slots_[at];
      if (slot.key == key && (length <= 2 * sizeof(uint64_t) || isLong(slot, cell)))
        return slot.code;
      if (slot.code == kNone)
        return kNone;
    }
  }

private:
  /// The first and the last 8 bytes of a text (all bytes of a shorter one), and its length.
  struct Key {
    uint64_t head = 0, tail = 0;
    uint64_t length = 0;
    bool operator==(const Key &) const = default;
  };
  struct Slot {
    Key key;
    uint32_t code = kNone; ///< kNone: free
    uint32_t entry = 0;
  };

  static Key keyOf(const char *cell, size_t length) {
    static constexpr uint64_t kMasks[] = {0,
                                          0xff,
                                          0xffff,
                                          0xffffff,
                                          0xffffffff,
                                          0xffffffffff,
                                          0xffffffffffff,
                                          0xffffffffffffff,
                                          0xffffffffffffffff};
    const size_t shown = length < 8 ? length : 8;
    Key key;
    std::memcpy(&key.head, cell, sizeof(key.head));
    std::memcpy(&key.tail, cell + (length - shown), sizeof(key.tail));
    key.head &= kMasks[shown];
    key.tail &= kMasks[shown];
    key.length = length;
    return key;
  }
  size_t slotOf(const Key &key) const {
    constexpr uint64_t kOdd = 0x9e3779b97f4a7c15;
    return static_cast<size_t>((key.head + key.tail * kOdd + key.length) * multiplier_ >> shift_);
  }
  bool isLong(const Slot &slot, const char *cell) const {
    return std::memcmp(entries_[slot.entry].first.data(), cell, slot.key.length) == 0;
  }
  bool fill(bool mayCollide);

  std::vector<Slot> slots_; ///< their number is a power of two
  uint64_t multiplier_ = 1;
  unsigned shift_ = 63;
  std::vector<Entry> entries_;
};

} // namespace mpf
