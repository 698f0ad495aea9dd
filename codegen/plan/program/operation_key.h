// A key for what an operation computes from its stored operands; the names of variables are not
// part of it.
#pragma once

#include "codegen/plan/program/global_order.h"
#include "codegen/plan/program/table_program.h"

#include <vector>

namespace mpf {

/// If two keys are equal, the results hold the same entries in the same places in every slice.
/// Operands enter as the tables that store them, in any order (the order of a product changes only
/// its rounding). Only for operations that do not accumulate.
std::vector<uint32_t> operationKey(const TableProgram &program, const GlobalOrder &order,
                                   const Operation &operation);

} // namespace mpf
