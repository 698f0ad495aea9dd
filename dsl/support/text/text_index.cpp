#include "dsl/support/text/text_index.h"

#include "dsl/support/check.h"

#include <algorithm>
#include <functional>

namespace mpf {

namespace {

constexpr size_t kFewestSlots = 16;

uint32_t hashOf(std::string_view text) {
  return static_cast<uint32_t>(std::hash<std::string_view>()(text));
}

} // namespace

size_t TextIndex::slotOf(std::string_view given, uint32_t hash) const {
  size_t at = hash & (slots_.size() - 1);
  while (slots_[at].number != kFree &&
         (slots_[at].hash != hash || text(slots_[at].number) != given))
    at = (at + 1) & (slots_.size() - 1);
  return at;
}

void TextIndex::grow() {
  std::vector<Slot> old(std::max(kFewestSlots, 2 * slots_.size()));
  old.swap(slots_);
  for (const Slot &slot : old)
    if (slot.number != kFree) {
      size_t at = slot.hash & (slots_.size() - 1);
      while (slots_[at].number != kFree)
        at = (at + 1) & (slots_.size() - 1);
      slots_[at] = slot;
    }
}

std::pair<uint32_t, bool> TextIndex::add(std::string_view given) {
  if (2 * size() >= slots_.size())
    grow();
  const uint32_t hash = hashOf(given);
  Slot &slot = slots_[slotOf(given, hash)];
  if (slot.number != kFree)
    return {slot.number, false};
  MPF_CHECK(size() < kFree, "{} texts", size());
  slot = {hash, static_cast<uint32_t>(size())};
  bytes_ += given;
  ends_.push_back(bytes_.size());
  return {slot.number, true};
}

std::optional<uint32_t> TextIndex::find(std::string_view given) const {
  if (slots_.empty())
    return std::nullopt;
  const Slot &slot = slots_[slotOf(given, hashOf(given))];
  return slot.number == kFree ? std::nullopt : std::optional(slot.number);
}

} // namespace mpf
