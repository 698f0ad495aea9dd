#include "codegen/plan/passes/pass_bound_operands.h"

#include "codegen/plan/program/program_edit.h"
#include "dsl/support/check.h"

namespace mpf {

bool groupOperandsOf(TableProgram &program, const GlobalOrder &order, OpId id,
                     const GroupingLimits &limits, std::vector<OpId> &execution) {
  // A copy: appending moves the operations.
  Operation operation = program.operation(id);
  const OperandTree tree = groupOperands(program, order, operation.operands, limits);
  if (tree.groups.empty())
    return false;
  std::vector<TableId> items = operation.operands;
  for (const OperandGroup &group : tree.groups) {
    std::vector<TableId> members;
    for (const uint32_t item : group.members) {
      MPF_CHECK(item < items.size(), "a group takes item {} of {} so far", item, items.size());
      members.push_back(items[item]);
    }
    const OpId product =
        appendOperation(program, order, operation.semiring, std::move(members), {});
    execution.push_back(product);
    items.push_back(program.operation(product).result);
  }
  MPF_CHECK(tree.top.size() <= limits.maxOperands, "operation {} keeps {} operands of at most {}",
            id, tree.top.size(), limits.maxOperands);
  operation.operands.clear();
  for (const uint32_t item : tree.top)
    operation.operands.push_back(items[item]);
  operation.cost = operationCost(program, operation);
  program.operations[id.index()] = std::move(operation);
  return true;
}

void passBoundOperands(TableProgram &program, size_t limit) {
  MPF_CHECK(limit >= 2 && limit <= kMaxOperands, "operations of {} operands", limit);
  const GlobalOrder order(program);
  const size_t count = program.operations.size();
  std::vector<OpId> execution;
  for (size_t i = 0; i < count; ++i) {
    if (program.operations[i].operands.size() > limit)
      groupOperandsOf(program, order, OpId{i}, {limit, 0}, execution);
    execution.push_back(OpId{i});
  }
  compactProgram(program, execution);
}

} // namespace mpf
