#include "dsl/formats/cases/state_lookup.h"

#include "dsl/support/split_mix.h"

#include <algorithm>
#include <bit>
#include <set>

namespace mpf {

namespace {

/// The largest number of entries for which multipliers without collisions are searched.
constexpr size_t kMostPerfect = 1024;
constexpr int kMultipliers = 64;

} // namespace

StateLookup::StateLookup(std::vector<Entry> entries) {
  std::set<std::string> taken;
  for (Entry &entry : entries)
    if (taken.insert(entry.first).second)
      entries_.push_back(std::move(entry));
  for (size_t size = std::bit_ceil(2 * entries_.size());; size *= 2) {
    slots_.assign(size, {});
    shift_ = 64 - static_cast<unsigned>(std::bit_width(size - 1));
    const bool isLast = entries_.size() > kMostPerfect || size > 8 * entries_.size();
    uint64_t random = size;
    for (int tried = 0; tried < kMultipliers; ++tried) {
      multiplier_ = nextRandom(random) | 1;
      if (fill(isLast))
        return;
    }
  }
}

/// Fills the slots. Returns false if two entries collide; with `mayCollide` the second entry takes
/// the next free slot instead.
bool StateLookup::fill(bool mayCollide) {
  std::fill(slots_.begin(), slots_.end(), Slot());
  for (uint32_t entry = 0; entry < entries_.size(); ++entry) {
    const auto &[text, code] = entries_[entry];
    std::string padded = text;
    padded.resize(text.size() + kPaddingBytes);
    const Key key = keyOf(padded.data(), text.size());
    size_t at = slotOf(key);
    if (slots_[at].code != kNone && !mayCollide)
      return false;
    while (slots_[at].code != kNone)
      at = (at + 1) & (slots_.size() - 1);
    slots_[at] = {key, code, entry};
  }
  return true;
}

} // namespace mpf
