// Adds reentered loops: in a reentered loop, the downward pass runs a loop again that has ended.
//
// On the way up, a loop over a sliced variable may end as soon as only one table depends on the
// variable (pass_eliminate.h). The marginals of the variables inside the loop need the downward
// message from the rest of the network. If that message depends on the loop's own sum, the first
// loop cannot wait for it. Then a reentered loop runs over the same variable of the model. In the
// program it has a variable of its own (a sliced copy); it reads the same inputs through this copy
// and computes again what depends on it, as reverse differentiation does from its checkpoints
// (Griewank 1992). So two distant cliques that must both be sliced cost twice their work, not the
// product of their slices.
//
// Only upward messages that depend on the loop are computed again, and only those that are needed.
// A loop inside a loop that runs again runs again too: once for the messages that lead out of it,
// and once for the marginals inside it. Of several loops beside each other, one is not
// reentered: it waits for the messages of the others.
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
class ReenteredLoops {
public:
  /// A region is one reentered loop together with the reentered loops around it. kFirst stands for
  /// no reentered loop: the loops of the upward pass.
  using Region = uint32_t;
  static constexpr Region kFirst = 0;

  /// `program` must have its upward operations and loops, and outlive this object, which adds
  /// variables, inputs and operations to it.
  explicit ReenteredLoops(TableProgram &program);

  /// The global order and the loops of the program as it is now. The references are invalid once
  /// enter() or table() has added a loop.
  const GlobalOrder &order() const { return *order_; }
  const SliceLevels &levels() const { return *levels_; }

  /// Enters the loop of `sum`, the result of an upward accumulation that `region` visits. `down` is
  /// the downward message to the sum. Returns the region for the operations inside the loop: this
  /// is `region` itself if the first loop can wait for `down`, else that of a reentered loop, which
  /// is added. Throws Error(Internal) beyond kMaxLoops loops (see loopsAtMost).
  Region enter(TableId sum, TableId down, Region region);
  /// The table that stands for the upward table `id` in a region: the table itself if it does not
  /// depend on the reentered loops of the region. Otherwise it is computed from the variables of
  /// those loops; the operations, inputs and loops for this are added when they are first needed.
  TableId table(TableId id, Region region);
  /// The scope of that table, which need not have been made.
  std::vector<VarId> scope(TableId id, Region region) const;

private:
  struct Around {
    Region parent = kFirst;
    VarId from, to;                        ///< variable of the upward loop, of the reentered loop
    std::map<TableId, TableId> made;       ///< by upward table; looked up, never iterated over
    std::map<TableId, Region> upwardLoops; ///< by sum; looked up, never iterated over
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

/// An upper bound on the number of loops that an upward program has after its downward operations
/// were added.
size_t loopsAtMost(const TableProgram &upward);

/// True when the loop of this accumulation ends before other variables are eliminated: the result
/// still has a variable that is not sliced.
bool endsEarly(const TableProgram &program, const Operation &sum);

/// For every table: if it is an input of a reentered loop, the input with the same origin that the
/// first loop reads; else (or if there is none) the table itself. In a sound program the scopes of
/// both agree, with copies in place of the variables of first loops.
std::vector<TableId> firstReadings(const TableProgram &program);
/// True for the variable of a reentered loop.
bool isAgain(const ProgramVariable &variable);
/// True for an input that a reentered loop reads through its own variable.
bool isReenteredInput(const TableProgram &program, const ProgramTable &table);

} // namespace mpf
