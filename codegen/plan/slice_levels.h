// SLICE LEVELS: which loops an operation of a sliced program runs in.
//
// Conditioning (Pearl 1988, section 4.3; "slicing" in tensor networks, Gray and Kourtis 2021,
// section 4.3) fixes some variables and adds up the answers over all their assignments. Here the
// first variables of the global order may be `sliced`: loop 1 runs over the first, loop 2 inside it
// over the second, and so on. Every scope still names them, so that what a program means does not
// depend on slicing; but
// - a result holds the entries of the current slice only;
// - an operation runs in the innermost loop that its operands depend on: what depends on no sliced
//   variable is computed once, what depends on the first two is computed again only when they move;
// - reducing the variable of loop k is *accumulation*: one operand, added up over the iterations.
// Operations follow one nest: down into the loops, then out again.
#pragma once

#include "codegen/plan/table_program.h"

#include <span>
#include <vector>

namespace mpf {

/// Valid as long as the program's variables and order stay. Immutable.
class SliceLevels {
public:
  explicit SliceLevels(const TableProgram &program);

  /// Loops in all; 0: the program is not sliced.
  uint32_t count() const { return count_; }
  /// Depth of the innermost loop over a variable of `scope`; 0: none.
  uint32_t ofScope(std::span<const VarId> scope) const;
  /// The loop that an operation runs in.
  uint32_t ofOperation(const Operation &operation) const;
  /// It adds its operand up over the iterations of its loop.
  bool accumulates(const Operation &operation) const { return ofScope(operation.reduced) > 0; }
  /// How often operations of a level run: the product of the extents of its loops.
  double runs(uint32_t level) const { return runs_[level]; }

private:
  const TableProgram &program_;
  uint32_t count_ = 0;
  std::vector<uint32_t> levels_; ///< by variable; 0: not sliced
  std::vector<double> runs_;     ///< by level
};

/// Operations [begin, end) of loop k at k - 1; verifyProgram makes sure that they are contiguous.
struct LoopRange {
  size_t begin = 0, end = 0;
};
std::vector<LoopRange> loopRanges(const TableProgram &program, const SliceLevels &levels);

/// First variables of the order become sliced, all others not.
void markSliced(TableProgram &program, size_t count);

/// Product of the extents of the variables of a scope that are not sliced, saturating: the entries
/// of one slice, which is what a result stores.
uint64_t sliceElems(const TableProgram &program, std::span<const VarId> scope);

/// Sum over all operations that run of their addresses times how often they do.
double totalAddresses(const TableProgram &program);

} // namespace mpf
