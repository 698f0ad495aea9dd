#include "runtime/simt/shadow.h"

#include <algorithm>

namespace mpf::simt {

Shadow::Shadow(std::string name, size_t bytes, size_t grainBytes, FaultKind raceKind,
               const BlockOrder &order)
    : name_(std::move(name)), grainBytes_(grainBytes), raceKind_(raceKind), order_(&order),
      words_((bytes + grainBytes - 1) / grainBytes) {}

bool Shadow::unordered(const Moment &before, const Moment &now) const {
  if (!before.valid() || (before.block == now.block && before.thread == now.thread))
    return false;
  if (before.block != now.block)
    return !order_->ordered(before, now);
  if (before.epoch != now.epoch)
    return false;
  return before.thread / 32 != now.thread / 32 || before.warpEpoch == now.warpEpoch;
}

void Shadow::clear() { std::fill(words_.begin(), words_.end(), Word()); }

void Shadow::access(uint32_t site, const Moment &now, size_t offset, uint32_t bytes,
                    AccessKind kind, bool mustBeWritten, Report &report) {
  const size_t end = (offset + bytes + grainBytes_ - 1) / grainBytes_;
  for (size_t at = offset / grainBytes_; at < end; ++at) {
    Word &word = words_[at];
    if (mustBeWritten && kind == AccessKind::Load && !word.store.valid())
      report.add(FaultKind::UninitialisedRead, site,
                 "thread {} of block {} reads byte {} of {}, which nobody has written", now.thread,
                 now.block, grainBytes_ * at, name_);
    touch(word, site, now, grainBytes_ * at, kind, report);
  }
}

void Shadow::touch(Word &word, uint32_t site, const Moment &now, size_t offset, AccessKind kind,
                   Report &report) const {
  const auto race = [&](const Moment &other, const char *what) {
    report.add(raceKind_, site,
               "thread {} of block {} and thread {} of block {}: {} at byte {} of {}", other.thread,
               other.block, now.thread, now.block, what, offset, name_);
  };
  // Atomic operations are ordered among themselves, and a concurrent load sees a valid value.
  if (kind == AccessKind::Load) {
    if (!word.atomic && unordered(word.store, now))
      race(word.store, "load after store");
    if (word.load.valid() && word.load.thread != now.thread)
      word.otherLoad = word.load;
    if (word.load.valid() && word.load.block != now.block)
      word.blockLoad = word.load;
    word.load = now;
    return;
  }
  const bool bothAtomic = kind == AccessKind::Atomic && word.atomic;
  if (!bothAtomic && unordered(word.store, now))
    race(word.store, "two stores");
  if (kind != AccessKind::Atomic) {
    if (unordered(word.load, now))
      race(word.load, "store after load");
    else if (unordered(word.otherLoad, now))
      race(word.otherLoad, "store after load");
    else if (unordered(word.blockLoad, now))
      race(word.blockLoad, "store after load");
  }
  word.store = kind == AccessKind::Pending ? Moment() : now;
  word.atomic = kind == AccessKind::Atomic;
}

} // namespace mpf::simt
