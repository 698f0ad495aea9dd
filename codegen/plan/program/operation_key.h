// Makes a key for what an operation computes from its stored operands. Equal computations on other
// variables get equal keys, so that the second one need not be run (pass_share_tables.h).
#pragma once

#include "codegen/plan/program/global_order.h"
#include "codegen/plan/program/table_program.h"

#include <vector>

namespace mpf {

/// If two keys are equal, the results hold the same entries at the same bucket addresses, in every
/// slice. Operands enter the key as the tables that store them, in any order (the order of a
/// product changes only its rounding). `order` must be that of the program. The operation must not
/// accumulate.
std::vector<uint32_t> operationKey(const TableProgram &program, const GlobalOrder &order,
                                   const Operation &operation);

} // namespace mpf
