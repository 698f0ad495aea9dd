// Finds which messages of a program may be computed a second time, and when each is read. The
// decisions of rematerialize.h use this.
#pragma once

#include "codegen/plan/program/program_memory.h"
#include "codegen/plan/program/slice_levels.h"
#include "codegen/plan/program/table_program.h"

#include <cstddef>
#include <vector>

namespace mpf {

/// One operation that reads a table.
struct MessageUse {
  size_t reader = 0;
  size_t needed = 0; ///< the operation before which the table has to be in memory: the reader, or
                     ///< the first operation of the outermost loop that the reader is in and the
                     ///< table is not
};

/// The uses of the messages of one program. Immutable.
class MessageUses {
public:
  /// The loops of `program` must be nested; it must outlive this object and must not change.
  explicit MessageUses(const TableProgram &program);

  const TableProgram &program() const { return program_; }
  const SliceLevels &levels() const { return levels_; }
  /// The operations that name this result as an operand, ascending. Reads of tables that are the
  /// same as it are not included.
  const std::vector<MessageUse> &uses(TableId id) const { return uses_[id.index()]; }
  /// The beginning and end of each loop; loop k is at k - 1.
  const std::vector<LoopRange> &loops() const { return loops_; }
  /// The results of the loop directly around `loop` that are read inside `loop`, each once.
  const std::vector<TableId> &readInside(uint32_t loop) const { return readInside_[loop - 1]; }
  /// A stored result and the results that are the same as it.
  const std::vector<TableId> &members(TableId stored) const { return members_[stored.index()]; }
  /// True when the table may be dropped and computed again wherever it is needed: each of its
  /// operands stays in memory as long, or may be computed again too. Never true for inputs,
  /// outputs, kept messages, tables of the traceback and sums over loops.
  bool isMovable(TableId id) const { return movable_[program_.stored(id).index()] != 0; }
  /// The work to compute a result: addresses of its operation times how often that runs.
  double addresses(TableId id) const;
  /// The lifetime of a table in the program as it is (tableLifetimes).
  const TableLifetime &lifetime(TableId id) const { return lifetimes_[id.index()]; }

private:
  void noteUses();
  bool isSumOverLoop(TableId stored) const;
  void findMovable();

  const TableProgram &program_;
  const SliceLevels levels_;
  const std::vector<TableLifetime> lifetimes_;
  const std::vector<LoopRange> loops_;
  std::vector<std::vector<MessageUse>> uses_;
  std::vector<std::vector<TableId>> readInside_;
  std::vector<std::vector<TableId>> members_;
  std::vector<char> movable_; ///< by stored table
};

} // namespace mpf
