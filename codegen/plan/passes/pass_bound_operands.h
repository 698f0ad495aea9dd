// Multiplies operands in groups first until every operation has at most `limit` of them.
//
// The smallest table comes first, as in Huffman's algorithm (1952): it joins the table or group
// with which its product is smallest (no larger than the other, when that has its variables). A
// group takes further members as long as its scope stays the same and it has at most `limit`
// members. Tables that the traceback reads stay in the program.
#pragma once

#include "codegen/plan/passes/operand_groups.h"
#include "codegen/plan/program/table_program.h"

namespace mpf {

/// Before: an upward program (pass_eliminate.h). `limit`: 2..kMaxOperands, else Error(Internal);
/// marginals programs pass kMaxOperands - 1, because their downward operations have one operand
/// more.
void passBoundOperands(TableProgram &program, size_t limit = kMaxOperands);

/// Replaces the operands of operation `id` by the products that groupOperands decides on. The
/// operations for these products are appended to the program, and their ids to `execution`; the
/// caller appends `id` and brings the program into this order (compactProgram). True when anything
/// changed.
bool groupOperandsOf(TableProgram &program, const GlobalOrder &order, OpId id,
                     const GroupingLimits &limits, std::vector<OpId> &execution);

} // namespace mpf
