// SECOND LOOPS: how the downward pass re-enters a loop that has ended.
//
// On the way up, a loop over a sliced variable may end as soon as only one table depends on the
// variable (pass_eliminate.h). The marginals of the variables inside the loop need the downward
// message from the rest of the network. If that message depends on the loop's own sum, the first
// loop cannot wait for it. Then a second loop runs over the same variable of the model. In the
// program it has a variable of its own (a sliced copy); it reads the same inputs through this copy
// and computes again what depends on it, as checkpoints of reverse differentiation do (Griewank
// 1992). So two distant cliques that must both be sliced cost twice their work, not the product of
// their slices.
//
// Only the upward messages of the loop's region are computed again, and only when they are needed.
// Loops inside a region are re-entered together with it: once for its messages and once for its
// marginals. Of several loops beside each other, one needs no second loop: it waits for the
// messages of the others.
#pragma once

#include "codegen/plan/program/global_order.h"
#include "codegen/plan/program/loop_dependencies.h"
#include "codegen/plan/program/slice_levels.h"
#include "codegen/plan/program/table_program.h"

#include <cstdint>
#include <map>
#include <optional>
#include <vector>

namespace mpf {

/// Keeps track of the loops of a marginals program while pass_downward.h adds its downward
/// operations. Not thread-safe.
class SecondLoops {
public:
  /// A region is what lies inside one second loop, more than the region around it. kFirst: the
  /// loops of the upward pass.
  using Region = uint32_t;
  static constexpr Region kFirst = 0;

  /// `program` has its upward operations and loops; it must outlive this object, which adds
  /// variables, inputs and operations to it.
  explicit SecondLoops(TableProgram &program);

  /// The global order of the program as it is now; invalid once another loop is entered.
  const GlobalOrder &order() const { return *order_; }
  const SliceLevels &levels() const { return *levels_; }

  /// The region inside the loop of `sum`, an upward accumulation of `region`, whose downward
  /// message is `down`. There may be at most kMaxLoops loops in all (loopsAtMost).
  Region enter(TableId sum, TableId down, Region region);
  /// The table that stands for an upward table in a region: a second computation of it when it
  /// depends on the region's loops, else the table itself.
  TableId table(TableId id, Region region);
  /// The scope of that table.
  std::vector<VarId> scope(TableId id, Region region) const;

private:
  struct Around {
    Region parent = kFirst;
    VarId from, to;                        ///< the upward loop's variable, the second one's
    std::map<TableId, TableId> made;       ///< looked up, never walked
    std::map<TableId, Region> upwardLoops; ///< by sum; looked up, never walked
  };

  Region regionOf(TableId id, Region region) const;
  bool isMade(TableId id, Region region) const;
  bool isSaidInside(TableId down, uint32_t loop) const;
  Region addLoop(TableId sum, Region around, uint32_t parent);
  Region upwardLoop(TableId sum, Region around);
  VarId renamed(VarId id, Region region) const;
  TableId readAgain(TableId input, Region region);
  VarId variableOf(TableId sum) const;

  TableProgram &program_;
  std::optional<GlobalOrder> order_;
  std::optional<SliceLevels> levels_;
  LoopDependencies needs_, upwardNeeds_;
  std::vector<Around> regions_;
};

/// An upper bound on the loops of an upward program after its downward operations were added.
size_t loopsAtMost(const TableProgram &upward);

/// True when the loop of this sum ends before other variables are eliminated: the result still has
/// a variable that is not sliced.
bool endsEarly(const TableProgram &program, const Operation &sum);

/// For every table: the input that it reads a second time, if it is an input of a second loop; else
/// the table itself. A second reading has the scope of the first one, with copies in place of the
/// variables of second loops.
std::vector<TableId> firstReadings(const TableProgram &program);
/// True for the variable of a second loop.
bool isAgain(const ProgramVariable &variable);
/// True for an input that a second loop reads through its own variable.
bool isSecondReading(const TableProgram &program, const ProgramTable &table);

} // namespace mpf
