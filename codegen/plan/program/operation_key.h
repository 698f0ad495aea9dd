// What an operation computes from its stored operands, without the names of its variables.
#pragma once

#include "codegen/plan/program/global_order.h"
#include "codegen/plan/program/table_program.h"

#include <vector>

namespace mpf {

/// Equal keys: the results hold the same entries in the same places, in every slice. Operands
/// count as the tables they are stored in and in any order (a product is the same in any order but
/// for its rounding). For operations that do not accumulate.
std::vector<uint32_t> operationKey(const TableProgram &program, const GlobalOrder &order,
                                   const Operation &operation);

} // namespace mpf
