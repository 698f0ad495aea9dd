// From a program before elimination to one ordering problem for each component. Components share no
// variable, so each is ordered on its own.
#pragma once

#include "codegen/plan/order/order_problem.h"

#include <vector>

namespace mpf {

/// The loops that the inputs of a sliced program are in. A table that depends on the variable of a
/// loop is in that loop and in all loops around it.
struct InputLoops {
  std::vector<uint64_t> ofTable; ///< sets, by table
  std::vector<double> extents;   ///< by loop, in the order of the bits
  std::vector<uint32_t> tables;  ///< by loop: OrderProblem::loopTables
};

/// `kept`: the output variables, which are never eliminated. `together`: make one problem of all
/// components, for given orders that relate several of them. Sets `localOf` to VarId -> vertex of
/// its component, UINT32_MAX for variables in no scope. Does not apply given orders
/// (order_given.h). `loops`: those of a sliced program; may be null.
std::vector<OrderProblem> orderProblems(const TableProgram &program, const std::vector<VarId> &kept,
                                        bool together, const InputLoops *loops,
                                        std::vector<uint32_t> &localOf);

} // namespace mpf
