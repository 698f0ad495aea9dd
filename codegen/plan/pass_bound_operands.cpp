#include "codegen/plan/pass_bound_operands.h"

#include "codegen/plan/operand_groups.h"
#include "codegen/plan/program_edit.h"

namespace mpf {

namespace {

/// Appends the products of one operation's groups; gives the operands that are left for it.
std::vector<TableId> appendGroups(TableProgram &program, const GlobalOrder &order,
                                  const Operation &operation, size_t limit,
                                  std::vector<OpId> &execution) {
  const OperandTree tree = groupOperands(program, order, operation.operands, limit);
  std::vector<TableId> items = operation.operands;
  for (const OperandGroup &group : tree.groups) {
    std::vector<TableId> members;
    for (const uint32_t item : group.members)
      members.push_back(items[item]);
    const OpId id = appendOperation(program, order, operation.semiring, std::move(members), {});
    execution.push_back(id);
    items.push_back(program.operation(id).result);
  }
  std::vector<TableId> top;
  for (const uint32_t item : tree.top)
    top.push_back(items[item]);
  return top;
}

} // namespace

void passBoundOperands(TableProgram &program, size_t limit) {
  const GlobalOrder order(program);
  const size_t count = program.operations.size();
  std::vector<OpId> execution;
  for (size_t i = 0; i < count; ++i) {
    if (program.operations[i].operands.size() > limit) {
      // A copy: appending moves the operations.
      Operation operation = program.operations[i];
      operation.operands = appendGroups(program, order, operation, limit, execution);
      operation.cost = operationCost(program, operation);
      program.operations[i] = std::move(operation);
    }
    execution.push_back(OpId{i});
  }
  compactProgram(program, execution);
}

} // namespace mpf
