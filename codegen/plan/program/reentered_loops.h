// Adds reentered loops: in a reentered loop, the downward pass runs a loop again that has ended.
//
// The upward pass may end a loop over a sliced variable as soon as only one table depends on the
// variable (pass_eliminate.h). The marginals of the variables inside the loop need the downward
// message from the rest of the network. If that message depends on the loop's own sum, the first
// loop cannot wait for it. Then a reentered loop runs over the same variable of the model. The
// program has a separate variable for it, a sliced copy. The reentered loop reads the same inputs
// through this copy and computes again what depends on it, as reverse differentiation does from its
// checkpoints (Griewank 1992). So two distant cliques that must both be sliced cost twice their
// work, not the product of their slices.
//
// Only upward messages that depend on the loop are computed again, and only those that are needed.
// A loop inside a loop that runs again runs again too: once for the messages that lead out of it,
// and once for the marginals inside it. Where several loops are beside each other, one is not
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
  /// A region is one reentered loop together with the reentered loops around it. kFirst is the
  /// region outside of all reentered loops: the loops of the upward pass.
  using Region = uint32_t;
  static constexpr Region kFirst = 0;

  /// `program` must have its upward operations and loops. It must outlive this object, which adds
  /// variables, inputs and operations to it.
  explicit ReenteredLoops(TableProgram &program);

  /// The global order and the loops of the program as it is now. The references are invalid once
  /// enter() or table() has added a loop.
  const GlobalOrder &order() const { return *order_; }
  const SliceLevels &levels() const { return *levels_; }

  /// Enters the loop of `sum`, the result of an upward accumulation that `region` visits. `down` is
  /// the downward message to the sum. Returns the region for the operations inside the loop. This
  /// is `region` itself if the first loop can wait for `down`, else that of a reentered loop, which
  /// is added. Throws Error(Internal) beyond kMaxLoops loops (see loopsAtMost).
  Region enter(TableId sum, TableId down, Region region);
  /// Returns the table that replaces the upward table `id` in a region: the table itself if it does
  /// not depend on the reentered loops of the region. Otherwise it is computed from the variables
  /// of those loops. Adds the operations, inputs and loops for this when they are first needed.
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

/// Returns an upper bound on the number of loops of an upward program after its downward operations
/// were added.
size_t loopsAtMost(const TableProgram &upward);

/// Whether the loop of this accumulation ends before other variables are eliminated: then the
/// result still has a variable that is not sliced.
bool endsEarly(const TableProgram &program, const Operation &sum);

/// Returns for every table the table itself, but for an input of a reentered loop the input with
/// the same origin that the first loop reads, if there is one. In a sound program the scopes of
/// both agree, with copies in place of the variables of first loops.
std::vector<TableId> firstReadings(const TableProgram &program);
/// True for the variable of a reentered loop.
bool isReentered(const ProgramVariable &variable);
/// True for an input that a reentered loop reads through its own variable.
bool isReenteredInput(const TableProgram &program, const ProgramTable &table);

} // namespace mpf
