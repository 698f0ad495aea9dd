// SECOND LOOPS: how the way down goes back into a loop that has ended.
//
// A loop over a sliced variable may end on the way up as soon as one table alone depends on it
// (pass_eliminate.h). The marginals of what is inside it need what the rest says, and where that
// depends on the loop's own sum, the loop cannot wait for it. Then a second loop runs over the same
// variable of the model: it has a variable of its own in the program (a copy that is sliced), reads
// the same inputs by it, and computes again what depends on it, as checkpoints of reverse
// differentiation do (Griewank 1992; here by slices). So cliques far from each other that must each
// be sliced cost twice their work and not the product of their slices.
//
// What is computed again, and only when it is asked for: the upward messages of the loop's region.
// Loops inside a region are entered again with it, once for its messages and once for its
// marginals. One of several loops beside each other needs no second one: it waits for what the rest
// says.
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

/// The loops of a marginals program while its downward operations are made. Not thread-safe.
class SecondLoops {
public:
  /// What is inside one more loop than the region around it. kFirst: loops as they are on the way
  /// up.
  using Region = uint32_t;
  static constexpr Region kFirst = 0;

  /// `program` is upward, its loops are known; must outlive this. Grows by variables, inputs and
  /// operations.
  explicit SecondLoops(TableProgram &program);

  /// Of the program as it is now; not valid once another loop is entered.
  const GlobalOrder &order() const { return *order_; }
  const SliceLevels &levels() const { return *levels_; }

  /// Inside the loop of `sum`, an upward accumulation of `region`, that `down` says something
  /// about. At most kMaxLoops loops in all: loopsAtMost.
  Region enter(TableId sum, TableId down, Region region);
  /// An upward table as it is in a region: computed again when it depends on its loops.
  TableId table(TableId id, Region region);
  /// Its scope there.
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

/// Of an upward program with its way down: no more loops than these.
size_t loopsAtMost(const TableProgram &upward);

/// Something is eliminated after the sum over a loop: it has a variable of no loop.
bool endsEarly(const TableProgram &program, const Operation &sum);

/// The input that an input of a second loop reads again; itself for all other tables. The one place
/// that knows what a second reading is: its variables that are second ones stand for the first.
std::vector<TableId> firstReadings(const TableProgram &program);
/// Of a second loop: it stands for the variable of the first one.
bool isAgain(const ProgramVariable &variable);
/// It is read by the variable of a second loop.
bool isSecondReading(const TableProgram &program, const ProgramTable &table);

} // namespace mpf
