// Multiplies operands in groups first until every operation has at most `limit` of them.
//
// The smallest table comes first, as in Huffman's algorithm (1952). It joins the table or group
// with which its product is smallest. (That product is no larger than the other if the other has
// its variables.) A group takes further members as long as its scope stays the same and it has at
// most `limit` members. Tables that the traceback reads stay in the program.
#pragma once

#include "codegen/plan/passes/operand_groups.h"
#include "codegen/plan/program/table_program.h"

namespace mpf {

/// Before: an upward program (pass_eliminate.h). `limit` is 2..kMaxOperands, else Error(Internal).
/// Marginals programs pass kMaxOperands - 1, because their downward operations have one operand
/// more.
void passBoundOperands(TableProgram &program, size_t limit = kMaxOperands);

/// Replaces the operands of operation `id` by the products that groupOperands decides on. Appends
/// the operations for these products to the program, and their ids to `execution`. The caller
/// appends `id` and brings the program into this order (compactProgram). True when anything
/// changed.
bool groupOperandsOf(TableProgram &program, const GlobalOrder &order, OpId id,
                     const GroupingLimits &limits, std::vector<OpId> &execution);

} // namespace mpf
