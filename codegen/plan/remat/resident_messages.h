// Keeps track of the movable messages (MessageUses::isMovable) in memory while a program is
// rewritten (rematerialize.h), and chooses the one to drop when there is no room.
//
// The message to drop has the least cost / (bytes x operations until its next use). This is the
// rule of Kirisame et al. 2021, "Dynamic tensor rematerialization", section 3, with the known next
// use in place of staleness. The cost includes computing again the dropped messages that it is made
// of. The next use includes uses of dropped messages that are made of it. So the messages that stay
// are spread over the program like checkpoints (Griewank 1992).
#pragma once

#include "codegen/plan/remat/eviction_queue.h"
#include "codegen/plan/remat/message_uses.h"

#include <limits>
#include <vector>

namespace mpf {

/// Table ids are those of the program before rewriting, and must be movable. A choice looks at a
/// bounded number of candidates, and follows the cost of each through a bounded number of messages,
/// so that it stays cheap in long programs. Not thread-safe.
class ResidentMessages {
public:
  /// `uses` must outlive this object.
  explicit ResidentMessages(const MessageUses &uses);

  static constexpr size_t kNever = std::numeric_limits<size_t>::max();

  /// Whether the table is in memory.
  bool holds(TableId id) const { return storageOf_[id.index()] != kNowhere; }
  /// Notes that the table is in memory from now on, in a separate place. It must not be there yet,
  /// else Error(Internal).
  void hold(TableId id, uint64_t bytes);
  /// Notes that the table is in the memory of `other` from now on, which must be in memory.
  void share(TableId id, TableId other);
  bool shares(TableId a, TableId b) const {
    return holds(a) && storageOf_[a.index()] == storageOf_[b.index()];
  }
  /// Locks a message, so that it is not dropped. Every lock needs its unlock; the table must be in
  /// memory.
  void lock(TableId id);
  void unlock(TableId id);

  /// Notes that `operation` has run: its operands go on to their next readers, and messages that no
  /// later operation needs are released.
  void advance(const Operation &operation);
  /// Releases a message if no later operation needs it and it is not locked.
  void releaseIfDone(TableId id);
  /// Drops one message; false when none can be dropped. `now`: the operation that needs the room.
  bool drop(size_t now);

  /// Bytes of all messages in memory.
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
  std::vector<size_t> readersDone_;    ///< by table: how many of MessageUses::uses are over
  std::vector<Storage> storages_;      ///< empty ones are free
  std::vector<uint32_t> freeStorages_; ///< places in storages_
  EvictionQueue candidates_;
  const size_t mostDroppable_;
  std::vector<uint64_t> visit_; ///< by table: the number of the last walk that visited it
  std::vector<TableId> walk_;
  uint64_t walks_ = 0, steps_ = 0, bytes_ = 0;
};

} // namespace mpf
