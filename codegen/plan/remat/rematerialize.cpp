#include "codegen/plan/remat/rematerialize.h"

#include "codegen/plan/program/global_order.h"
#include "codegen/plan/program/operation_key.h"
#include "codegen/plan/program/program_edit.h"
#include "codegen/plan/remat/resident_messages.h"
#include "dsl/support/check.h"
#include "dsl/support/table_layout.h"

#include <algorithm>

namespace mpf {

namespace {

/// The most addresses afterwards, as a multiple of those before.
constexpr double kMostFactor = 32;
/// The most steps that the choices of messages to drop may take.
constexpr uint64_t kMostSteps = 10'000'000;

uint64_t resultBytes(const TableProgram &program, TableId id, uint64_t entryBytes) {
  return roundUp(program.table(id).sizeElems * entryBytes, kTableGrainBytes);
}

/// Bytes of the tables that cannot be computed again, by the operation before which they are taken
/// and by the operation after which they are free.
struct Pinned {
  Pinned(const MessageUses &uses, uint64_t entryBytes)
      : begins(uses.program().operations.size() + 1, 0), ends(begins) {
    const TableProgram &program = uses.program();
    for (size_t i = 0; i < program.tables.size(); ++i)
      if (const TableId id{i};
          !program.tables[i].isInput() && program.stored(id) == id && !uses.isMovable(id)) {
        const uint64_t bytes = resultBytes(program, id, entryBytes);
        begins[uses.lifetime(id).first] += bytes;
        ends[uses.lifetime(id).last] += bytes;
      }
  }
  std::vector<uint64_t> begins, ends;
};

/// Goes through the operations once and keeps track of the tables in memory.
class Recomputation {
public:
  Recomputation(const MessageUses &uses, const RecomputeRoom &room)
      : uses_(uses), before_(uses.program()), program_(before_), order_(before_), held_(uses),
        room_(room), current_(before_.tables.size()), pinned_(uses, room.entryBytes),
        addressesLeft_((kMostFactor - 1) * totalAddresses(before_)) {
    for (size_t i = 0; i < current_.size(); ++i)
      current_[i] = TableId{i};
  }

  std::optional<TableProgram> run() {
    for (size_t i = 0; i < before_.operations.size(); ++i) {
      if (addressesLeft_ < 0 || held_.steps() > kMostSteps || leastBytes_ > room_.mostBytes)
        return std::nullopt;
      now_ = i;
      pinnedBytes_ += pinned_.begins[i];
      enterLoops(i);
      takeOriginal(OpId{i});
      leaveLoops(i);
      MPF_CHECK(pinnedBytes_ >= pinned_.ends[i], "{} bytes are freed of {} behind operation {}",
                pinned_.ends[i], pinnedBytes_, i);
      pinnedBytes_ -= pinned_.ends[i];
    }
    // A message may be dropped before anything has read it.
    compactProgram(program_, usedOperations(program_, execution_));
    return std::move(program_);
  }

private:
  uint64_t bytesOf(TableId id) const { return resultBytes(before_, id, room_.entryBytes); }

  /// Messages that a loop reads from outside are computed before it and stay in memory for all its
  /// iterations. An outer loop has a lower number.
  void enterLoops(size_t operation) {
    for (uint32_t loop = 1; loop <= uses_.loops().size(); ++loop)
      if (uses_.loops()[loop - 1].begin == operation)
        for (const TableId id : uses_.readInside(loop))
          ensure(id);
  }

  void leaveLoops(size_t operation) {
    for (uint32_t loop = static_cast<uint32_t>(uses_.loops().size()); loop > 0; --loop)
      if (uses_.loops()[loop - 1].end == operation + 1)
        for (const TableId id : uses_.readInside(loop)) {
          unlock(id);
          held_.releaseIfDone(id);
        }
  }

  /// Takes over the next operation of the original program.
  void takeOriginal(OpId id) {
    const Operation &operation = before_.operation(id);
    if (staysShared(operation)) {
      execution_.push_back(id);
      shareResult(operation.result);
      return held_.advance(operation);
    }
    program_.tables[operation.result.index()].sameAs = {};
    for (const TableId operand : operation.operands)
      ensure(operand);
    execution_.push_back(id);
    Operation &now = program_.operations[id.index()];
    for (TableId &operand : now.operands)
      operand = current_[operand.index()];
    holdResult(operation.result);
    unlock(operation);
    held_.advance(operation);
    held_.releaseIfDone(operation.result);
  }

  /// Whether the result is still the same as the earlier one, which reads the same tables as in the
  /// original program.
  bool staysShared(const Operation &operation) const {
    const TableId stored = before_.stored(operation.result);
    if (stored == operation.result)
      return false;
    const OpId producer = before_.table(stored).producer;
    return operationKey(program_, order_, program_.operation(producer)) ==
           operationKey(program_, order_, operation);
  }

  void shareResult(TableId id) {
    const TableId stored = before_.stored(id);
    if (uses_.isMovable(id) && held_.holds(stored) && current_[stored.index()] == stored)
      held_.share(id, stored);
  }

  /// Makes sure that the table is in memory and locked; computes it again if need be. Uses no
  /// recursion, because dependencies may be deep.
  void ensure(TableId id) {
    struct Frame {
      TableId table;
      size_t nextOperand = 0;
    };
    std::vector<Frame> stack;
    const auto enter = [&](TableId table) {
      if (!uses_.isMovable(table))
        return;
      if (held_.holds(table))
        held_.lock(table);
      else
        stack.push_back({table});
    };
    enter(id);
    while (!stack.empty()) {
      Frame &top = stack.back();
      const Operation &maker = before_.operation(before_.table(top.table).producer);
      if (top.nextOperand < maker.operands.size()) {
        enter(maker.operands[top.nextOperand++]);
        continue;
      }
      makeAgain(top.table, maker);
      stack.pop_back();
    }
  }

  /// Computes a table again, from operands that are locked.
  void makeAgain(TableId id, const Operation &maker) {
    MPF_CHECK(!held_.holds(id), "table {} is computed again and is still there", id);
    std::vector<TableId> operands;
    for (const TableId operand : maker.operands)
      operands.push_back(current_[operand.index()]);
    const OpId copy =
        appendOperation(program_, order_, maker.semiring, std::move(operands), maker.reduced);
    execution_.push_back(copy);
    current_[id.index()] = program_.operation(copy).result;
    addressesLeft_ -= uses_.addresses(id);
    holdResult(id);
    held_.lock(id);
    unlock(maker);
    for (const TableId operand : maker.operands)
      held_.releaseIfDone(operand);
  }

  void holdResult(TableId id) {
    if (!uses_.isMovable(id)) {
      if (before_.stored(id) != id) // shared before, stored separately now
        takePinned(id);
      return makeRoom();
    }
    held_.hold(id, bytesOf(id));
    held_.lock(id);
    makeRoom();
    held_.unlock(id);
  }

  void takePinned(TableId id) {
    MPF_CHECK(!uses_.isMovable(id), "table {} stays, though it could be computed again", id);
    pinnedBytes_ += bytesOf(id);
    pinned_.ends[std::max(uses_.lifetime(before_.stored(id)).last, now_)] += bytesOf(id);
  }

  void makeRoom() {
    while (pinnedBytes_ + held_.bytes() > room_.bytes)
      if (!held_.drop(now_)) {
        leastBytes_ = std::max(leastBytes_, pinnedBytes_ + held_.bytes());
        return;
      }
  }

  void unlock(const Operation &operation) {
    for (const TableId operand : operation.operands)
      unlock(operand);
  }
  void unlock(TableId id) {
    if (held_.holds(id))
      held_.unlock(id);
  }

  const MessageUses &uses_;
  const TableProgram &before_;
  TableProgram program_; ///< grows at its end until it is put in order
  const GlobalOrder order_;
  ResidentMessages held_;
  const RecomputeRoom room_;
  std::vector<TableId> current_; ///< by original table: the table that holds its entries now
  Pinned pinned_;                ///< grows by tables that are no longer shared
  double addressesLeft_;
  std::vector<OpId> execution_;
  uint64_t pinnedBytes_ = 0, leastBytes_ = 0;
  size_t now_ = 0;
};

} // namespace

uint64_t leastRoom(const MessageUses &uses, uint64_t entryBytes) {
  const TableProgram &program = uses.program();
  const Pinned pinned(uses, entryBytes);
  uint64_t least = 0, held = 0;
  for (size_t i = 0; i < program.operations.size(); ++i) {
    const Operation &operation = program.operations[i];
    held += pinned.begins[i];
    uint64_t bytes = held;
    if (uses.isMovable(operation.result))
      bytes += resultBytes(program, operation.result, entryBytes);
    for (const TableId id : operation.operands)
      if (uses.isMovable(id))
        bytes += resultBytes(program, id, entryBytes);
    held -= pinned.ends[i];
    least = std::max(least, bytes);
  }
  return least;
}

std::optional<TableProgram> recomputeWithin(const MessageUses &uses, const RecomputeRoom &room) {
  return Recomputation(uses, room).run();
}

} // namespace mpf
