// From a program before elimination to one ordering problem per connected part: parts that share no
// variable are ordered on their own.
#pragma once

#include "codegen/plan/order/order_problem.h"

#include <vector>

namespace mpf {

/// The loops that the inputs of a program in slices are in: tables that depend on the variable of a
/// loop are in it, and in all loops around it.
struct InputLoops {
  std::vector<uint64_t> ofTable; ///< sets, by table
  std::vector<double> extents;   ///< by loop, in the order of the bits
  std::vector<uint32_t> tables;  ///< by loop: OrderProblem::loopTables
};

/// `kept`: the output variables, never eliminated. `together`: one problem of everything, for given
/// orders that relate several parts. `localOf` becomes VarId -> vertex of its part, UINT32_MAX for
/// variables that are in no scope. Given orders are not applied yet (order_given.h). `loops`: of a
/// program in slices; may be null.
std::vector<OrderProblem> orderProblems(const TableProgram &program, const std::vector<VarId> &kept,
                                        bool together, const InputLoops *loops,
                                        std::vector<uint32_t> &localOf);

} // namespace mpf
