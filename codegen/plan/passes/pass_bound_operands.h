// Multiplies operands in groups first until every operation has at most `limit` of them.
//
// Smallest table first: it joins the table or group whose product grows least (nothing, when one
// scope contains the other), like Huffman's algorithm (1952). A group takes further members
// without another pass as long as its scope stays the same. Tables used by the traceback stay.
#pragma once

#include "codegen/plan/passes/operand_groups.h"
#include "codegen/plan/program/table_program.h"

namespace mpf {

/// Marginals programs pass kMaxOperands - 1: their downward operations have one operand more.
void passBoundOperands(TableProgram &program, size_t limit = kMaxOperands);

/// Replaces the operands of operation `id` by the products that groupOperands decides on;
/// appends those products to the program and to `execution`. True when anything changed.
bool groupOperandsOf(TableProgram &program, const GlobalOrder &order, OpId id,
                     const GroupingLimits &limits, std::vector<OpId> &execution);

} // namespace mpf
