// From a program before elimination to one ordering problem per connected part: parts that share no
// variable are ordered on their own.
#pragma once

#include "codegen/plan/order_problem.h"

#include <vector>

namespace mpf {

/// `kept`: the output variables, never eliminated. `together`: one problem of everything, for given
/// orders that relate several parts. `localOf` becomes VarId -> vertex of its part, UINT32_MAX for
/// variables that are in no scope. Given orders are not applied yet (order_given.h).
std::vector<OrderProblem> orderProblems(const TableProgram &program, const std::vector<VarId> &kept,
                                        bool together, std::vector<uint32_t> &localOf);

} // namespace mpf
