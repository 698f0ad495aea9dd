#include "tests/simt/shadow.h"

#include <algorithm>
#include <fmt/core.h>

namespace mpf::simt {

namespace {
bool unordered(const Moment &before, const Moment &now) {
  if (!before.valid() || (before.block == now.block && before.thread == now.thread))
    return false;
  if (before.block != now.block)
    return true;
  if (before.epoch != now.epoch)
    return false;
  return before.thread / 32 != now.thread / 32 || before.warpEpoch == now.warpEpoch;
}

std::string who(const Moment &moment) {
  return fmt::format("thread {} of block {}", moment.thread, moment.block);
}
} // namespace

Shadow::Shadow(std::string name, size_t bytes, FaultKind raceKind)
    : name_(std::move(name)), raceKind_(raceKind), words_((bytes + 3) / 4) {}

void Shadow::clear() { std::fill(words_.begin(), words_.end(), Word()); }

void Shadow::access(uint32_t site, const Moment &now, size_t offset, uint32_t bytes,
                    AccessKind kind, bool mustBeWritten, Report &report) {
  for (size_t at = offset / 4; at < (offset + bytes + 3) / 4; ++at) {
    Word &word = words_[at];
    if (mustBeWritten && kind == AccessKind::Load && !word.store.valid())
      report.add(
          FaultKind::UninitialisedRead, site,
          fmt::format("{} reads byte {} of {}, which nobody has written", who(now), 4 * at, name_));
    touch(word, site, now, 4 * at, kind, report);
  }
}

void Shadow::touch(Word &word, uint32_t site, const Moment &now, size_t offset, AccessKind kind,
                   Report &report) const {
  const auto race = [&](const Moment &other, const char *what) {
    report.add(
        raceKind_, site,
        fmt::format("{} and {}: {} at byte {} of {}", who(other), who(now), what, offset, name_));
  };
  // Atomic operations are ordered among themselves, and a load beside them sees some valid value.
  if (kind == AccessKind::Load) {
    if (!word.atomic && unordered(word.store, now))
      race(word.store, "load after store");
    if (word.load.valid() && word.load.thread != now.thread)
      word.otherLoad = word.load;
    word.load = now;
    return;
  }
  const bool bothAtomic = kind == AccessKind::Atomic && word.atomic;
  if (!bothAtomic && unordered(word.store, now))
    race(word.store, "two stores");
  if (kind == AccessKind::Store) {
    if (unordered(word.load, now))
      race(word.load, "store after load");
    else if (unordered(word.otherLoad, now))
      race(word.otherLoad, "store after load");
  }
  word.store = now;
  word.atomic = kind == AccessKind::Atomic;
}

} // namespace mpf::simt
