// SLICE LEVELS: which loops an operation of a sliced program runs in.
//
// Conditioning (Pearl 1988, section 4.3; "slicing" in tensor networks, Gray and Kourtis 2021,
// section 4.3) fixes some variables and adds up the answers over all their assignments. Here the
// first variables of the global order may be `sliced`: each has a loop, counted from 1 in that
// order. Every scope still names them, so that what a program means does not depend on slicing; but
// - a result holds the entries of the current slice only;
// - an operation runs in the innermost loop that its operands depend on: what depends on no sliced
//   variable is computed once, what depends on one is computed again only when that one moves;
// - reducing the variable of loop k is *accumulation*: one operand, added up over the iterations.
//
// The loops are the elimination tree of the sliced variables (Liu 1990): loop k is inside loop j
// when some table, once all others are eliminated, holds both and j is the nearest such. So parts
// of a network that share no sliced variable are looped over one after the other, not inside each
// other.
#pragma once

#include "codegen/plan/program/table_program.h"
#include "dsl/support/loop_tree.h"

#include <span>
#include <vector>

namespace mpf {

/// Where the loops of a program end (pass_eliminate.h).
enum class LoopEnds {
  Last,      ///< when everything else is eliminated
  WhenSmall, ///< as soon as one table alone depends on the loop, and is small beside those inside
             ///< it
  AtOnce,    ///< as soon as one table alone depends on the loop
};
/// Entries of the largest message in a loop over those of a small one.
inline constexpr double kLog2SmallSum = 4;

/// The most loops of one program (bundle.h: kMaxBundleLoops); sets of loops are 64-bit masks.
inline constexpr size_t kMaxLoops = 64;

/// Valid as long as the program's variables and order stay. Immutable.
class SliceLevels {
public:
  /// The loops follow from the tables that are there: exact once everything is eliminated.
  explicit SliceLevels(const TableProgram &program);
  /// The loops are those of `tree`: some tables are still to come (reentered_loops.h).
  SliceLevels(const TableProgram &program, LoopTree tree);

  /// Loops in all; 0: the program is not sliced.
  uint32_t count() const { return tree_.count(); }
  const LoopTree &tree() const { return tree_; }
  /// The innermost loop over a variable of `scope`; 0: none.
  uint32_t ofScope(std::span<const VarId> scope) const;
  /// The loop of one variable; 0: it is not sliced.
  uint32_t ofVariable(VarId variable) const { return levels_[variable.index()]; }
  /// The loop that an operation runs in.
  uint32_t ofOperation(const Operation &operation) const;
  /// It adds its operand up over the iterations of its loop.
  bool accumulates(const Operation &operation) const { return ofScope(operation.reduced) > 0; }
  /// How often operations of a loop run: the product of the extents of the loops around them.
  double runs(uint32_t level) const { return runs_[level]; }
  /// Iterations of all loops that have none inside.
  double sliceCount() const;

private:
  uint32_t numberLoops();
  void countRuns();

  const TableProgram &program_;
  std::vector<uint32_t> levels_; ///< by variable; 0: not sliced
  LoopTree tree_;
  std::vector<double> runs_; ///< by loop
};

/// Operations [begin, end) of loop k, those inside it included, at k - 1; verifyProgram makes sure
/// that they are contiguous.
struct LoopRange {
  size_t begin = 0, end = 0;
};
std::vector<LoopRange> loopRanges(const TableProgram &program, const SliceLevels &levels);

/// Elimination tree of loops from the sets of loops that tables depend on: bit k - 1 for loop k.
/// The sets may be those before elimination. At most kMaxLoops loops.
LoopTree loopTreeOf(uint32_t count, std::span<const uint64_t> sets);

/// First variables of the order become sliced, all others not.
void markSliced(TableProgram &program, size_t count);

/// Product of the extents of the variables of a scope that are not sliced, saturating: the entries
/// of one slice, which is what a result stores.
uint64_t sliceElems(const TableProgram &program, std::span<const VarId> scope);

/// Sum over all operations that run of their addresses times how often they do.
double totalAddresses(const TableProgram &program);

} // namespace mpf
