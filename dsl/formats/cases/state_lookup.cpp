#include "dsl/formats/cases/state_lookup.h"

#include "dsl/support/split_mix.h"

#include <algorithm>
#include <bit>
#include <fmt/format.h>
#include <set>

namespace mpf {

namespace {

/// States whose numbers are in the table. Of larger variables they are read digit by digit.
constexpr uint32_t kMostNumbers = 1024;
/// Tables of so many entries are tried with several multipliers, for one without collisions.
constexpr size_t kMostPerfect = 1024;
constexpr int kMultipliers = 64;

} // namespace

StateLookup::StateLookup(const std::vector<std::string> &labels, uint32_t extent) : texts_(labels) {
  std::vector<std::pair<std::string, uint32_t>> entries = {{"", extent}};
  std::set<std::string> taken = {""};
  const auto add = [&](const std::string &text, uint32_t code) {
    if (taken.insert(text).second)
      entries.emplace_back(text, code);
  };
  for (size_t state = 0; state < labels.size(); ++state)
    add(labels[state], static_cast<uint32_t>(state));
  if (extent <= kMostNumbers)
    for (uint32_t state = 0; state < extent; ++state)
      add(fmt::format("{}", state), state);
  for (size_t size = std::bit_ceil(2 * entries.size());; size *= 2) {
    slots_.assign(size, {});
    shift_ = 64 - static_cast<unsigned>(std::bit_width(size - 1));
    const bool isLast = entries.size() > kMostPerfect || size > 8 * entries.size();
    uint64_t random = size;
    for (int tried = 0; tried < kMultipliers; ++tried) {
      multiplier_ = nextRandom(random) | 1;
      if (fill(entries, isLast))
        return;
    }
  }
}

/// False: two entries want one place. If they may, the second takes the next free one.
bool StateLookup::fill(const std::vector<std::pair<std::string, uint32_t>> &entries,
                       bool mayCollide) {
  std::fill(slots_.begin(), slots_.end(), Slot());
  for (const auto &[text, code] : entries) {
    std::string padded = text;
    padded.resize(text.size() + kPaddingBytes);
    const Key key = keyOf(padded.data(), text.size());
    size_t at = slotOf(key);
    if (slots_[at].code != kNone && !mayCollide)
      return false;
    while (slots_[at].code != kNone)
      at = (at + 1) & (slots_.size() - 1);
    slots_[at] = {key, code};
  }
  return true;
}

} // namespace mpf
