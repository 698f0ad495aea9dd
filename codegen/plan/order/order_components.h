// Divides an initial program into one ordering problem for each component. Components share no
// variable, so each is ordered on its own. All output variables are in one component.
#pragma once

#include "codegen/plan/order/order_problem.h"

#include <vector>

namespace mpf {

/// The loops that the inputs of a sliced program are in. A table that depends on the variable of a
/// loop is in that loop and in all loops around it.
struct InputLoops {
  std::vector<uint64_t> ofTable; ///< by table: a set of loops
  std::vector<double> extents;   ///< by loop, in the order of the bits
  std::vector<uint32_t> tables;  ///< by loop: OrderProblem::loopTables
};

/// Returns the problems, without given orders (order_given.h) and without a bound on messages.
/// `kept`: the output variables, which are never eliminated. `together`: make one problem of all
/// components, for given orders that relate several of them. `loops`: those of a sliced program;
/// may be null. Sets `localOf`, by VarId, to the vertex in its problem; UINT32_MAX for variables
/// that are not in the program's order.
std::vector<OrderProblem> orderProblems(const TableProgram &program, const std::vector<VarId> &kept,
                                        bool together, const InputLoops *loops,
                                        std::vector<uint32_t> &localOf);

} // namespace mpf
