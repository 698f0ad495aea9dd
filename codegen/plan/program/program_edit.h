// Changes the operations of a program, for passes: appends an operation with its result, or drops
// operations and renumbers the rest.
#pragma once

#include "codegen/plan/program/global_order.h"
#include "codegen/plan/program/table_program.h"

#include <vector>

namespace mpf {

/// Returns the cost of one run of an operation: in one slice, with all splits that it reads or
/// writes. The tables of the operation must be in the program, with their sizes; it needs no cost
/// yet.
OperationCost operationCost(const TableProgram &program, const Operation &operation);

/// Appends an operation, with its cost, and its result table: reduces `reduced` out of the product
/// of `operands` (at least one, else Error(Internal)), in `splits`. `order` must be that of the
/// program, and `reduced` sorted by it. The result is named "m<index of the operation>".
OpId appendOperation(TableProgram &program, const GlobalOrder &order, Semiring semiring,
                     std::vector<TableId> operands, std::vector<VarId> reduced,
                     uint32_t splits = 1);

/// Returns the operations that run (TableProgram::runs), in execution order: those of a bundle.
std::vector<OpId> operationsRun(const TableProgram &program);

/// Returns an operation as it was before its sum was cut. If it adds up splits, that is the
/// operation that it and the writer of the splits do together; else the operation itself. `program`
/// must be sound up to the operation.
Operation wholeSum(const TableProgram &program, OpId id);

/// Returns the operations of `execution` (in execution order) that an output or a traceback step
/// needs, directly or through others. The tables that store their tables are needed too.
std::vector<OpId> usedOperations(const TableProgram &program, const std::vector<OpId> &execution);

/// Keeps only the operations `keep`, in this order, and the tables that they, the outputs and the
/// traceback steps use. Renumbers and renames accordingly. Drops all chains, so it must run before
/// chains are found. Throws Error(Internal) when a table is used whose operation is not in `keep`.
void compactProgram(TableProgram &program, const std::vector<OpId> &keep);

} // namespace mpf
