// The movable messages that are in memory while a program is rewritten (pass_recompute_messages.h),
// and which of them goes when there is no room.
//
// The one goes that is cheapest to make again for the bytes it gives back and the time until it is
// needed (Kirisame et al. 2021, "Dynamic tensor rematerialization", section 3: cost over memory
// times staleness; here the next need is known and stands in the place of staleness). To make a
// message again may take others that are gone as well: they count, so what is left is spread over
// the program as checkpoints are (Griewank 1992).
#pragma once

#include "codegen/plan/remat/eviction_queue.h"
#include "codegen/plan/remat/message_uses.h"

#include <limits>
#include <vector>

namespace mpf {

/// Names are those of the program before. Not thread-safe. Needs are looked for through a bounded
/// number of messages, so that a choice stays cheap in long chains.
class ResidentMessages {
public:
  explicit ResidentMessages(const MessageUses &uses);

  static constexpr size_t kNever = std::numeric_limits<size_t>::max();

  bool holds(TableId id) const { return storageOf_[id.index()] != kNowhere; }
  /// Its own memory from now on.
  void hold(TableId id, uint64_t bytes);
  /// In the memory of `other`, which is held.
  void share(TableId id, TableId other);
  bool shares(TableId a, TableId b) const {
    return holds(a) && storageOf_[a.index()] == storageOf_[b.index()];
  }
  /// What is locked stays. Locks count.
  void lock(TableId id);
  void unlock(TableId id);

  /// The next reader of every operand is done. What nothing needs any more is released.
  void advance(const Operation &operation);
  /// Releases a message that nothing needs any more and that is not locked.
  void releaseIfDone(TableId id);
  /// Drops one; false when none can go. `now`: the operation that needs the room.
  bool drop(size_t now);

  uint64_t bytes() const { return bytes_; }
  /// Elementary steps of all choices so far.
  uint64_t steps() const { return steps_; }

private:
  struct Storage {
    uint64_t bytes = 0;
    uint32_t locks = 0;
    std::vector<TableId> members;
  };
  static constexpr uint32_t kNowhere = std::numeric_limits<uint32_t>::max();

  Storage &storage(TableId id) { return storages_[storageOf_[id.index()]]; }
  void release(uint32_t storage);
  void updateCandidate(uint32_t storage);
  size_t nextUse(TableId id) const;
  size_t nextNeed(const Storage &storage);
  double costToMakeAgain(const Storage &storage);

  const MessageUses &uses_;
  std::vector<uint32_t> storageOf_;    ///< by table
  std::vector<size_t> readersDone_;    ///< by table: of MessageUses::uses
  std::vector<Storage> storages_;      ///< empty ones are free
  std::vector<uint32_t> freeStorages_; ///< places in storages_
  EvictionQueue candidates_;
  const size_t mostDroppable_;
  std::vector<uint64_t> visit_; ///< by table: the last walk that came by
  std::vector<TableId> walk_;
  uint64_t walks_ = 0, steps_ = 0, bytes_ = 0;
};

} // namespace mpf
