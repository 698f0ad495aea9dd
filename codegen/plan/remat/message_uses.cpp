#include "codegen/plan/remat/message_uses.h"

#include "dsl/support/check.h"

#include <algorithm>

namespace mpf {

MessageUses::MessageUses(const TableProgram &program)
    : program_(program), levels_(program), lifetimes_(tableLifetimes(program)),
      loops_(loopRanges(program, levels_)), uses_(program.tables.size()),
      readInside_(levels_.count()), members_(program.tables.size()),
      movable_(program.tables.size(), 0) {
  for (size_t i = 0; i < program.tables.size(); ++i)
    if (!program.tables[i].isInput())
      members_[program.stored(TableId{i}).index()].emplace_back(i);
  noteUses();
  findMovable();
}

void MessageUses::noteUses() {
  for (size_t i = 0; i < program_.operations.size(); ++i) {
    const uint32_t level = levels_.ofOperation(program_.operations[i]);
    for (const TableId id : program_.operations[i].operands) {
      if (program_.table(id).isInput())
        continue;
      const uint32_t own = levels_.ofScope(program_.table(id).scope);
      size_t needed = i;
      if (own != level && levels_.tree().contains(own, level)) {
        const uint32_t loop = levels_.tree().childTowards(own, level);
        MPF_CHECK(loop > 0 && loop <= loops_.size(), "operation {} is in loop {} of {}", i, loop,
                  loops_.size());
        needed = loops_[loop - 1].begin;
        std::vector<TableId> &inside = readInside_[loop - 1];
        if (std::find(inside.begin(), inside.end(), id) == inside.end())
          inside.push_back(id);
      }
      uses_[id.index()].push_back({i, needed});
    }
  }
}

double MessageUses::addresses(TableId id) const {
  MPF_CHECK(!program_.table(id).isInput(), "input {} is not computed again", id);
  const Operation &operation = program_.operation(program_.table(id).producer);
  return static_cast<double>(operation.cost.addressCount) *
         levels_.runs(levels_.ofOperation(operation));
}

bool MessageUses::isSumOverLoop(TableId stored) const {
  const auto isSum = [this](TableId id) {
    return levels_.accumulates(program_.operation(program_.table(id).producer));
  };
  return std::any_of(members_[stored.index()].begin(), members_[stored.index()].end(), isSum);
}

void MessageUses::findMovable() {
  const size_t end = program_.operations.size();
  for (size_t i = 0; i < movable_.size(); ++i)
    movable_[i] = !members_[i].empty() && lifetimes_[i].last < end && !isSumOverLoop(TableId{i});
  // A table may be needed until the last use of every table that is computed from it, directly or
  // not.
  std::vector<size_t> until(movable_.size(), 0);
  for (size_t i = end; i-- > 0;) {
    const TableId stored = program_.stored(program_.operations[i].result);
    size_t &own = until[stored.index()];
    own = std::max(own, lifetimes_[stored.index()].last);
    if (movable_[stored.index()])
      for (const TableId id : program_.operations[i].operands) {
        size_t &operand = until[program_.stored(id).index()];
        operand = std::max(operand, own);
      }
  }
  for (size_t i = 0; i < end; ++i) {
    const TableId stored = program_.stored(program_.operations[i].result);
    for (const TableId id : program_.operations[i].operands) {
      const TableId operand = program_.stored(id);
      if (!program_.table(operand).isInput() && !movable_[operand.index()] &&
          lifetimes_[operand.index()].last < until[stored.index()])
        movable_[stored.index()] = 0;
    }
  }
}

} // namespace mpf
