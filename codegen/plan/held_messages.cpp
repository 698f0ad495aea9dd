#include "codegen/plan/held_messages.h"

#include "dsl/support/check.h"

#include <algorithm>
#include <utility>

namespace mpf {

namespace {

/// Messages that one look for needs or costs goes through.
constexpr size_t kMostWalked = 48;
/// Candidates of one choice: the largest, and of those the ones that are read last.
constexpr size_t kMostDroppable = 96;
constexpr uint64_t kLeastBytesShare = 8; ///< of the largest

} // namespace

HeldMessages::HeldMessages(const MessageUses &uses)
    : uses_(uses), storageOf_(uses.program().tables.size(), kNowhere),
      readersDone_(storageOf_.size(), 0), visit_(storageOf_.size(), 0) {}

void HeldMessages::hold(TableId id, uint64_t bytes) {
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
}

void HeldMessages::share(TableId id, TableId other) {
  storage(other).members.push_back(id);
  storageOf_[id.index()] = storageOf_[other.index()];
}

void HeldMessages::release(uint32_t place) {
  Storage &gone = storages_[place];
  for (const TableId id : gone.members)
    storageOf_[id.index()] = kNowhere;
  bytes_ -= gone.bytes;
  gone = {};
  freeStorages_.push_back(place);
}

void HeldMessages::advance(const Operation &operation) {
  for (const TableId id : operation.operands)
    ++readersDone_[id.index()];
  for (const TableId id : operation.operands)
    releaseIfDone(id);
}

void HeldMessages::releaseIfDone(TableId id) {
  if (holds(id) && storage(id).locks == 0 && nextNeed(storage(id)) == kNever)
    release(storageOf_[id.index()]);
}

size_t HeldMessages::nextUse(TableId id) const {
  const std::vector<MessageUse> &uses = uses_.uses(id);
  const size_t done = readersDone_[id.index()];
  return done < uses.size() ? uses[done].needed : kNever;
}

/// The next reader of it, or of what was made of it and is gone.
size_t HeldMessages::nextNeed(const Storage &storage) {
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

double HeldMessages::costToMakeAgain(const Storage &storage) {
  ++walks_;
  walk_.clear();
  for (const TableId id : storage.members) // each for itself
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

bool HeldMessages::drop(size_t now) {
  uint64_t largest = 0;
  for (const Storage &storage : storages_)
    if (storage.locks == 0)
      largest = std::max(largest, storage.bytes);
  std::vector<std::pair<size_t, uint32_t>> candidates; // read last first
  for (uint32_t place = 0; place < storages_.size(); ++place)
    if (const Storage &storage = storages_[place];
        storage.locks == 0 && storage.bytes > 0 && storage.bytes >= largest / kLeastBytesShare) {
      size_t first = kNever;
      for (const TableId id : storage.members)
        first = std::min(first, nextUse(id));
      candidates.emplace_back(kNever - first, place);
    }
  steps_ += storages_.size() / 8 + 1;
  if (candidates.empty())
    return false;
  const size_t count = std::min(candidates.size(), kMostDroppable);
  std::partial_sort(candidates.begin(), candidates.begin() + static_cast<ptrdiff_t>(count),
                    candidates.end());
  double least = std::numeric_limits<double>::infinity();
  uint32_t chosen = candidates.front().second;
  for (size_t i = 0; i < count; ++i) {
    const Storage &storage = storages_[candidates[i].second];
    const size_t need = nextNeed(storage);
    const double score = need == kNever ? 0
                                        : costToMakeAgain(storage) /
                                              (static_cast<double>(storage.bytes) *
                                               static_cast<double>(std::max(need, now + 1) - now));
    if (score < least) {
      least = score;
      chosen = candidates[i].second;
    }
  }
  release(chosen);
  return true;
}

} // namespace mpf
