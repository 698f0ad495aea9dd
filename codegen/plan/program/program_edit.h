// How passes change a program: append an operation with its result, drop and renumber.
#pragma once

#include "codegen/plan/program/global_order.h"
#include "codegen/plan/program/table_program.h"

#include <vector>

namespace mpf {

OperationCost operationCost(const TableProgram &program, const Operation &operation);

/// Appends an operation with its result table: reduces `reduced` out of the product of
/// `operands`, in `splits`. Names the result "m<index of the operation>".
OpId appendOperation(TableProgram &program, const GlobalOrder &order, Semiring semiring,
                     std::vector<TableId> operands, std::vector<VarId> reduced,
                     uint32_t splits = 1);

/// The operations that run, in execution order: those of a bundle.
std::vector<OpId> operationsRun(const TableProgram &program);

/// An operation as it was before its sum was cut: where it adds splits up, what they are splits of.
/// `program` is sound up to the operation.
Operation wholeSum(const TableProgram &program, OpId id);

/// Those of `execution` (operations in execution order) that an output or a traceback step needs.
std::vector<OpId> usedOperations(const TableProgram &program, const std::vector<OpId> &execution);

/// Renumbers after operations were replaced (chains are for passes after that to find anew):
/// operations in the order of `keep`, tables without those that neither an operation, an output nor
/// a traceback step uses, messages renamed.
void compactProgram(TableProgram &program, const std::vector<OpId> &keep);

} // namespace mpf
