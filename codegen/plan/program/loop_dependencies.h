// Keeps track of which loops of a sliced program must end before others begin. An operation that
// reads the sum over a loop can only run after that loop has ended.
#pragma once

#include "codegen/plan/program/slice_levels.h"
#include "codegen/plan/program/table_program.h"

#include <cstdint>
#include <vector>

namespace mpf {

/// Sets of loops are masks: bit k - 1 is for loop k. Not thread-safe.
class LoopDependencies {
public:
  /// Notes the operations of `program` that were added since the last call. `levels`: its loops.
  /// Between two calls, operations may be appended, and loops with new numbers, inside loops that
  /// exist. Every operation must come after those whose results it reads.
  void note(const TableProgram &program, const SliceLevels &levels);

  /// The loops whose sums `table` depends on, directly or indirectly.
  uint64_t ended(TableId table) const {
    return table.index() < ended_.size() ? ended_[table.index()] : 0;
  }
  /// The loops that must end before `loop` (1 or more) does its work: their sums are read inside
  /// `loop`, and they are not inside it.
  uint64_t of(uint32_t loop) const { return loop < needs_.size() ? needs_[loop] : 0; }
  /// Notes a table that depends on the sums over the loops `ended` and is read inside `loop`; does
  /// nothing for loop 0.
  void add(uint32_t loop, uint64_t ended, const LoopTree &tree);
  /// True when `loop` is one of the loops `sums`, or one of them must wait for it, directly or
  /// through other loops.
  bool reaches(uint64_t sums, uint32_t loop) const;

private:
  void growTo(const LoopTree &tree);

  size_t noted_ = 0;            ///< number of operations noted
  std::vector<uint64_t> ended_; ///< by table
  // These vectors are by loop, from 1.
  std::vector<uint64_t> needs_, within_; ///< within_: the loop itself and all loops inside it
};

} // namespace mpf
