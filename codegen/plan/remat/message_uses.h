// Which messages of a program may be computed a second time, and when each is read: what
// pass_recompute_messages.h decides by.
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
  size_t needed = 0; ///< the operation before which the table has to be there: the reader, or the
                     ///< first one of the loop that the reader is in and the table is not
};

/// Of one program, which must outlive it and stay as it is. Immutable.
class MessageUses {
public:
  explicit MessageUses(const TableProgram &program);

  const TableProgram &program() const { return program_; }
  const SliceLevels &levels() const { return levels_; }
  /// By table: under this name, ascending.
  const std::vector<MessageUse> &uses(TableId id) const { return uses_[id.index()]; }
  /// By loop k at k - 1: where it begins and ends.
  const std::vector<LoopRange> &loops() const { return loops_; }
  /// By loop k at k - 1: the results from directly around it that are read inside; each once.
  const std::vector<TableId> &readInside(uint32_t loop) const { return readInside_[loop - 1]; }
  /// By stored table: itself, and those that are the same as it.
  const std::vector<TableId> &members(TableId stored) const { return members_[stored.index()]; }
  /// It may be dropped and computed again wherever it is needed: whatever it is made of is there as
  /// long or may be made again, too. Inputs, outputs, tables of the traceback and sums over loops
  /// may not.
  bool isMovable(TableId id) const { return movable_[program_.stored(id).index()] != 0; }
  /// Addresses of the operation that makes it, times how often that runs.
  double addresses(TableId id) const;
  /// Of stored tables that are not movable.
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
