// Finds the loops that an operation of a sliced program runs in.
//
// Conditioning (Pearl 1988, section 4.3; "slicing" in tensor networks, Gray and Kourtis 2021,
// section 4.3) fixes some variables and adds up the answers over all their assignments. Here the
// first variables of the global order may be `sliced`: each has a loop, counted from 1 in that
// order. Every scope still names them, so that what a program means does not depend on slicing; but
// - a result holds the entries of the current slice only;
// - an operation runs in the innermost loop that its operands depend on. Work that depends on no
//   sliced variable is done once; work that depends on one is repeated only when its state changes;
// - to reduce the variable of loop k is to *accumulate*: the operation has one operand and adds it
//   up over the iterations of the loop (or takes the maximum, in other semirings).
//
// The loops form the elimination tree of the sliced variables (Liu 1990). Loop k is directly inside
// the last loop before it whose variable shares a table with that of k, once all variables after k
// are eliminated. So parts of a network that share no sliced variable have loops one after the
// other, not inside each other.
#pragma once

#include "codegen/plan/program/table_program.h"
#include "dsl/support/loop_tree.h"

#include <span>
#include <vector>

namespace mpf {

/// The place where the loops of a program end (pass_eliminate.h).
enum class LoopEnds {
  Last,      ///< when everything else is eliminated
  WhenSmall, ///< as soon as only one table depends on the loop and is small (kLog2SmallSum)
  AtOnce,    ///< as soon as only one table depends on the loop
};
/// A table is small at the end of a loop when the largest message inside the loop has at least
/// 2^kLog2SmallSum times its entries.
inline constexpr double kLog2SmallSum = 4;

/// The most loops of one program (bundle.h: kMaxBundleLoops); sets of loops are 64-bit masks.
inline constexpr size_t kMaxLoops = 64;

/// The loops of one program. Keeps a reference to the program; valid until its variables or its
/// order change. Immutable.
class SliceLevels {
public:
  /// Finds the loops from the scopes of the present tables, also before elimination. Throws
  /// Error(Internal) for more than kMaxLoops loops.
  explicit SliceLevels(const TableProgram &program);
  /// Takes the loops of `tree`, for a program to which tables will be added (reentered_loops.h).
  /// Throws Error(Internal) when its size is not the number of sliced variables.
  SliceLevels(const TableProgram &program, LoopTree tree);

  /// The number of loops; 0: the program is not sliced.
  uint32_t count() const { return tree_.count(); }
  const LoopTree &tree() const { return tree_; }
  /// The innermost loop over a variable of `scope`, which must follow the global order; 0: none.
  uint32_t ofScope(std::span<const VarId> scope) const;
  /// The loop of one variable; 0: it is not sliced.
  uint32_t ofVariable(VarId variable) const { return levels_[variable.index()]; }
  /// The innermost loop that an operation runs in; 0: it runs once.
  uint32_t ofOperation(const Operation &operation) const;
  /// Whether the operation adds its operand up over the iterations of its loop.
  bool accumulates(const Operation &operation) const { return ofScope(operation.reduced) > 0; }
  /// Returns how often the operations directly in loop `level` run: the product of the extents of
  /// this loop and of those around it; 1 for level 0.
  double runs(uint32_t level) const { return runs_[level]; }
  /// The slices of the program: the iterations of all loops that have no loop inside; 1 if there is
  /// no loop.
  double sliceCount() const;

private:
  uint32_t numberLoops();
  void countRuns();

  const TableProgram &program_;
  std::vector<uint32_t> levels_; ///< by variable; 0: not sliced
  LoopTree tree_;
  std::vector<double> runs_; ///< by loop
};

/// The operations [begin, end) of a loop, those of the loops inside it included.
struct LoopRange {
  size_t begin = 0, end = 0;
};
/// The ranges of all loops, that of loop k at k - 1. The loops must be nested
/// (pass_nest_operations.h), so that the operations of each are contiguous.
std::vector<LoopRange> loopRanges(const TableProgram &program, const SliceLevels &levels);

/// Returns the elimination tree of loops, from the sets of loops that tables depend on: bit k - 1
/// is for loop k. The tables may be those before elimination. Throws Error(Internal) for more than
/// kMaxLoops loops.
LoopTree loopTreeOf(uint32_t count, std::span<const uint64_t> sets);

/// Makes the first `count` variables of the order sliced and all others not.
void markSliced(TableProgram &program, size_t count);

/// Returns the product of the extents of the variables of a scope that are not sliced, saturating.
/// These are the entries of one slice, which is what a result stores.
uint64_t sliceElems(const TableProgram &program, std::span<const VarId> scope);

/// Returns the most slices that `threads` threads compute side by side (side_by_side.h); 1 without
/// loops.
uint64_t slicesAtOnce(const TableProgram &program, uint64_t threads);

/// Returns the bucket addresses of a whole run: the sum, over all operations that run, of the
/// addresses in one slice times the number of runs. Each counts as at least `least`
/// (RunCosts::leastAddresses).
double totalAddresses(const TableProgram &program, double least = 0);

} // namespace mpf
