#include "codegen/plan/program/program_edit.h"

#include "codegen/plan/program/slice_levels.h"
#include "codegen/plan/program/split_k.h"
#include "dsl/support/check.h"
#include "dsl/support/counts.h"

#include <algorithm>
#include <charconv>
#include <iterator>
#include <limits>
#include <string>

namespace mpf {

namespace {

/// Names a message "m<index of the operation>"; fast, because programs of thousands of operations
/// are renamed often.
void nameMessage(ProgramTable &table, OpId id) {
  char text[1 + std::numeric_limits<size_t>::digits10 + 1] = {'m'};
  const auto [end, error] = std::to_chars(text + 1, std::end(text), id.index());
  table.name.assign(text, end);
}

/// Whether compactProgram would leave tables and operations where they are.
bool isCompact(const TableProgram &program, const std::vector<OpId> &keep,
               const std::vector<char> &used) {
  if (keep.size() != program.operations.size() || program.tables.size() < keep.size() ||
      std::ranges::find(used, 0) != used.end())
    return false;
  const size_t inputs = program.tables.size() - keep.size();
  for (size_t i = 0; i < inputs; ++i)
    if (!program.tables[i].isInput())
      return false;
  for (size_t i = 0; i < keep.size(); ++i)
    if (keep[i] != OpId{i} || program.operations[i].result != TableId{inputs + i})
      return false;
  return true;
}

} // namespace

OperationCost operationCost(const TableProgram &program, const Operation &operation) {
  MPF_CHECK(!operation.operands.empty(), "the operation that writes table {} has no operand",
            operation.result);
  OperationCost cost;
  const ProgramTable &result = program.table(operation.result);
  for (const TableId id : operation.operands)
    cost.readElems = saturatingAdd(cost.readElems, storedElems(program, program.table(id)));
  cost.writtenElems = result.sizeElems;
  const uint32_t added = splitsRead(program, operation);
  cost.addressCount = saturatingMul(saturatingMul(sliceElems(program, result.scope), added),
                                    sliceElems(program, operation.reduced));
  cost.combineOps = saturatingMul(cost.addressCount, operation.operands.size() - 1);
  cost.reduceOps = operation.reduced.empty() && added == 1 ? 0 : cost.addressCount;
  return cost;
}

OpId appendOperation(TableProgram &program, const GlobalOrder &order, Semiring semiring,
                     std::vector<TableId> operands, std::vector<VarId> reduced, uint32_t splits) {
  MPF_CHECK(!operands.empty(), "operation {} has no operand", program.operations.size());
  MPF_CHECK(splits > 0, "operation {} in {} splits", program.operations.size(), splits);
  const OpId id{program.operations.size()};
  ProgramTable result;
  nameMessage(result, id);
  result.scope = scopeWithout(order, unionScope(program, order, operands), reduced);
  result.producer = id;
  result.splits = splits;
  result.sizeElems = storedElems(program, result);
  Operation operation;
  operation.result = TableId{program.tables.size()};
  operation.operands = std::move(operands);
  operation.semiring = semiring;
  operation.reduced = std::move(reduced);
  program.tables.push_back(std::move(result));
  operation.cost = operationCost(program, operation);
  program.operations.push_back(std::move(operation));
  return id;
}

std::vector<OpId> operationsRun(const TableProgram &program) {
  std::vector<OpId> run;
  for (size_t i = 0; i < program.operations.size(); ++i)
    if (program.runs(program.operations[i]))
      run.emplace_back(i);
  return run;
}

Operation wholeSum(const TableProgram &program, OpId id) {
  const Operation &operation = program.operation(id);
  const ProgramTable &first = program.table(operation.operands[0]);
  if (operation.operands.size() > 1 || first.splits == 1 || first.isInput())
    return operation;
  Operation whole = program.operation(first.producer);
  whole.result = operation.result;
  whole.cost = operationCost(program, whole);
  return whole;
}

std::vector<OpId> usedOperations(const TableProgram &program, const std::vector<OpId> &execution) {
  std::vector<char> used(program.tables.size(), 0);
  const auto use = [&](TableId id) {
    used[id.index()] = 1;
    used[program.stored(id).index()] = 1;
  };
  for (const ProgramOutput &output : program.outputs)
    use(output.table);
  for (const TracebackStep &step : program.traceback)
    std::for_each(step.tables.begin(), step.tables.end(), use);
  std::vector<OpId> needed;
  for (auto id = execution.rbegin(); id != execution.rend(); ++id) {
    MPF_CHECK(id->index() < program.operations.size(), "operation {} of {}", *id,
              program.operations.size());
    const Operation &operation = program.operation(*id);
    if (!used[operation.result.index()])
      continue;
    std::for_each(operation.operands.begin(), operation.operands.end(), use);
    needed.push_back(*id);
  }
  std::reverse(needed.begin(), needed.end());
  return needed;
}

void compactProgram(TableProgram &program, const std::vector<OpId> &keep) {
  std::vector<char> used(program.tables.size(), 0);
  const auto use = [&used](TableId id) { used[id.index()] = 1; };
  for (const OpId id : keep) {
    use(program.operation(id).result);
    for (const TableId operand : program.operation(id).operands) {
      use(operand);
      use(program.stored(operand));
    }
  }
  for (const ProgramOutput &output : program.outputs)
    use(output.table);
  for (const TracebackStep &step : program.traceback)
    for (const TableId table : step.tables)
      use(table);

  program.chains.clear();
  if (isCompact(program, keep, used)) {
    for (const OpId id : keep)
      if (ProgramTable &result = program.tables[program.operation(id).result.index()];
          result.producer != id) {
        result.producer = id;
        nameMessage(result, id);
      }
    return;
  }
  // Inputs first, in their old order; then the results in execution order.
  std::vector<TableId> renamed(program.tables.size());
  std::vector<ProgramTable> tables;
  tables.reserve(program.tables.size());
  const auto move = [&](TableId id) {
    MPF_CHECK(!renamed[id.index()].valid(), "two operations of {} write one table", program.name);
    renamed[id.index()] = TableId{tables.size()};
    tables.push_back(std::move(program.tables[id.index()]));
  };
  for (size_t i = 0; i < used.size(); ++i)
    if (used[i] && program.tables[i].isInput())
      move(TableId{i});
  std::vector<Operation> operations;
  operations.reserve(keep.size());
  for (const OpId old : keep) {
    Operation operation = std::move(program.operations[old.index()]);
    move(operation.result);
    const OpId id{operations.size()};
    tables.back().producer = id;
    nameMessage(tables.back(), id);
    operations.push_back(std::move(operation));
  }
  const auto rename = [&renamed](TableId &id) {
    MPF_CHECK(id.index() < renamed.size(), "table {} of {}", id, renamed.size());
    id = renamed[id.index()];
    MPF_CHECK(id.valid(), "a table is used whose operation was dropped");
  };
  for (Operation &operation : operations) {
    rename(operation.result);
    std::for_each(operation.operands.begin(), operation.operands.end(), rename);
  }
  for (ProgramTable &table : tables)
    if (table.sameAs.valid())
      rename(table.sameAs);
  for (ProgramOutput &output : program.outputs)
    rename(output.table);
  for (TracebackStep &step : program.traceback)
    std::for_each(step.tables.begin(), step.tables.end(), rename);
  program.tables = std::move(tables);
  program.operations = std::move(operations);
}

} // namespace mpf
