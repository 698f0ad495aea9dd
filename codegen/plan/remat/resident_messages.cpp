#include "codegen/plan/remat/resident_messages.h"

#include "dsl/support/check.h"

#include <algorithm>
#include <utility>

namespace mpf {

namespace {

/// The most messages that are followed to find a need or a cost.
constexpr size_t kMostWalked = 48;
/// The most and least candidates of one choice; fewer in long programs, where choices are many.
constexpr size_t kMostDroppable = 96, kLeastDroppable = 4;
constexpr size_t kMostWalkedInAll = 60'000'000; ///< if there is one choice for each operation

} // namespace

ResidentMessages::ResidentMessages(const MessageUses &uses)
    : uses_(uses), storageOf_(uses.program().tables.size(), kNowhere),
      readersDone_(storageOf_.size(), 0),
      mostDroppable_(std::clamp(kMostWalkedInAll / kMostWalked /
                                    std::max<size_t>(1, uses.program().operations.size()),
                                kLeastDroppable, kMostDroppable)),
      visit_(storageOf_.size(), 0) {}

void ResidentMessages::hold(TableId id, uint64_t bytes) {
  MPF_CHECK(!holds(id), "table {} is held twice", id);
  uint32_t place = static_cast<uint32_t>(storages_.size());
  if (freeStorages_.empty()) {
    storages_.emplace_back();
  } else {
    place = freeStorages_.back();
    freeStorages_.pop_back();
  }
  storages_[place] = {bytes, 0, {id}};
  storageOf_[id.index()] = place;
  bytes_ += bytes;
  updateCandidate(place);
}

void ResidentMessages::share(TableId id, TableId other) {
  MPF_CHECK(holds(other) && !holds(id), "table {} is to share the memory of table {}: {}", id,
            other, holds(other) ? "it has its own" : "there is none");
  storage(other).members.push_back(id);
  storageOf_[id.index()] = storageOf_[other.index()];
  updateCandidate(storageOf_[id.index()]);
}

void ResidentMessages::lock(TableId id) {
  if (storage(id).locks++ == 0)
    candidates_.erase(storageOf_[id.index()]);
}

void ResidentMessages::unlock(TableId id) {
  MPF_CHECK(holds(id) && storage(id).locks > 0, "table {} is unlocked and was not locked", id);
  if (--storage(id).locks == 0)
    updateCandidate(storageOf_[id.index()]);
}

void ResidentMessages::updateCandidate(uint32_t place) {
  const Storage &storage = storages_[place];
  if (storage.locks > 0)
    return;
  size_t first = kNever;
  for (size_t i = 0; i < storage.members.size() && i < kMostWalked; ++i)
    first = std::min(first, nextUse(storage.members[i]));
  candidates_.put(place, storage.bytes, first);
}

void ResidentMessages::release(uint32_t place) {
  Storage &gone = storages_[place];
  MPF_CHECK(gone.locks == 0 && bytes_ >= gone.bytes, "{} of {} bytes are released, with {} locks",
            gone.bytes, bytes_, gone.locks);
  for (const TableId id : gone.members)
    storageOf_[id.index()] = kNowhere;
  bytes_ -= gone.bytes;
  gone = {};
  candidates_.erase(place);
  freeStorages_.push_back(place);
}

void ResidentMessages::advance(const Operation &operation) {
  for (const TableId id : operation.operands) {
    ++readersDone_[id.index()];
    if (holds(id))
      updateCandidate(storageOf_[id.index()]);
  }
  for (const TableId id : operation.operands)
    releaseIfDone(id);
}

void ResidentMessages::releaseIfDone(TableId id) {
  if (holds(id) && storage(id).locks == 0 && nextNeed(storage(id)) == kNever)
    release(storageOf_[id.index()]);
}

size_t ResidentMessages::nextUse(TableId id) const {
  const std::vector<MessageUse> &uses = uses_.uses(id);
  const size_t done = readersDone_[id.index()];
  return done < uses.size() ? uses[done].needed : kNever;
}

/// Returns the next use of the message, or of a message that was computed from it and is dropped.
size_t ResidentMessages::nextNeed(const Storage &storage) {
  ++walks_;
  walk_ = storage.members;
  size_t first = kNever;
  for (size_t i = 0; i < walk_.size() && i < kMostWalked; ++i, ++steps_) {
    first = std::min(first, nextUse(walk_[i]));
    const std::vector<MessageUse> &uses = uses_.uses(walk_[i]);
    for (size_t done = 0; done < readersDone_[walk_[i].index()]; ++done) {
      const TableId made = uses_.program().operations[uses[done].reader].result;
      if (!holds(made) && uses_.isMovable(made) &&
          std::exchange(visit_[made.index()], walks_) != walks_)
        walk_.push_back(made);
    }
  }
  return first;
}

double ResidentMessages::costToMakeAgain(const Storage &storage) {
  ++walks_;
  walk_.clear();
  for (const TableId id : storage.members) // each member has a cost
    if (nextUse(id) != kNever || storage.members.size() == 1)
      walk_.push_back(id);
  double cost = 0;
  for (size_t i = 0; i < walk_.size() && i < kMostWalked; ++i, ++steps_) {
    cost += uses_.addresses(walk_[i]);
    const OpId producer = uses_.program().table(walk_[i]).producer;
    for (const TableId operand : uses_.program().operation(producer).operands)
      if (!holds(operand) && uses_.isMovable(operand) &&
          std::exchange(visit_[operand.index()], walks_) != walks_)
        walk_.push_back(operand);
  }
  return cost;
}

bool ResidentMessages::drop(size_t now) {
  const std::vector<uint32_t> candidates = candidates_.latest(mostDroppable_);
  steps_ += candidates.size() + 1;
  if (candidates.empty())
    return false;
  double least = std::numeric_limits<double>::infinity();
  uint32_t chosen = candidates.front();
  for (const uint32_t place : candidates) {
    const Storage &storage = storages_[place];
    const size_t need = nextNeed(storage);
    const double score = need == kNever ? 0
                                        : costToMakeAgain(storage) /
                                              (static_cast<double>(storage.bytes) *
                                               static_cast<double>(std::max(need, now + 1) - now));
    if (score < least) {
      least = score;
      chosen = place;
    }
  }
  release(chosen);
  return true;
}

} // namespace mpf
