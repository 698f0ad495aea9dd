#include "codegen/plan/passes/pass_contract_operands.h"

#include "codegen/plan/program/program_edit.h"
#include "codegen/plan/program/slice_levels.h"
#include "dsl/support/check.h"
#include "dsl/support/counts.h"

#include <algorithm>

namespace mpf {

namespace {

/// A step must save 1 / kContractShare of the operation's loads.
constexpr uint64_t kContractShare = 8;

/// A step to split off: first reduce `inner`, which no other operand holds, out of the product of
/// `operands`.
struct Step {
  std::vector<TableId> operands;
  std::vector<VarId> inner;
  uint64_t loads = UINT64_MAX; ///< entries loaded by this step and by the rest of the operation
};

bool holds(const TableProgram &program, TableId table, VarId variable) {
  const std::vector<VarId> &scope = program.table(table).scope;
  return std::find(scope.begin(), scope.end(), variable) != scope.end();
}

uint64_t loadsOf(const TableProgram &program, const std::vector<VarId> &address, size_t operands) {
  return saturatingMul(sliceElems(program, address), operands);
}

/// The step that reduces `variable`, and the variables that only its operands hold. When every
/// operand holds the variable, there is no step: `loads` is UINT64_MAX.
Step stepFor(const TableProgram &program, const GlobalOrder &order, const Operation &operation,
             VarId variable) {
  Step step;
  std::vector<TableId> others;
  for (const TableId id : operation.operands)
    (holds(program, id, variable) ? step.operands : others).push_back(id);
  if (others.empty() || step.operands.empty())
    return step;
  const std::vector<VarId> address = unionScope(program, order, step.operands),
                           outside = unionScope(program, order, others);
  for (const VarId id : operation.reduced)
    if (std::find(address.begin(), address.end(), id) != address.end() &&
        std::find(outside.begin(), outside.end(), id) == outside.end())
      step.inner.push_back(id);
  const std::vector<VarId> between = scopeWithout(order, address, step.inner);
  std::vector<VarId> rest;
  std::set_union(outside.begin(), outside.end(), between.begin(), between.end(),
                 std::back_inserter(rest),
                 [&order](VarId a, VarId b) { return order.before(a, b); });
  // The table in between is written once as well.
  step.loads = saturatingAdd(
      saturatingAdd(loadsOf(program, address, step.operands.size()), sliceElems(program, between)),
      loadsOf(program, rest, others.size() + 1));
  return step;
}

Step cheapestStep(const TableProgram &program, const GlobalOrder &order,
                  const Operation &operation) {
  Step best;
  for (const VarId variable : operation.reduced)
    if (Step step = stepFor(program, order, operation, variable); step.loads < best.loads)
      best = std::move(step);
  return best;
}

/// Splits steps off operation `id` as long as that saves enough.
void contract(TableProgram &program, const GlobalOrder &order, OpId id,
              std::vector<OpId> &execution) {
  while (true) {
    Operation operation = program.operation(id); // a copy: appending moves the operations
    const uint64_t loads = saturatingMul(operation.cost.addressCount, operation.operands.size());
    if (operation.cost.addressCount < kContractAddresses || operation.operands.size() < 2)
      return;
    Step step = cheapestStep(program, order, operation);
    if (step.loads >= loads - loads / kContractShare)
      return;
    MPF_CHECK(step.operands.size() < operation.operands.size() && !step.inner.empty(),
              "a step takes {} of {} operands and reduces {} variables", step.operands.size(),
              operation.operands.size(), step.inner.size());
    std::erase_if(operation.operands, [&step](TableId table) {
      return std::find(step.operands.begin(), step.operands.end(), table) != step.operands.end();
    });
    operation.reduced = scopeWithout(order, operation.reduced, step.inner);
    const OpId first = appendOperation(program, order, operation.semiring, std::move(step.operands),
                                       std::move(step.inner));
    execution.push_back(first);
    operation.operands.push_back(program.operation(first).result);
    operation.cost = operationCost(program, operation);
    program.operations[id.index()] = std::move(operation);
  }
}

} // namespace

void passContractOperands(TableProgram &program) {
  if (!traitsOf(program.kind).goesDownward)
    return;
  const GlobalOrder order(program);
  const SliceLevels levels(program);
  const size_t count = program.operations.size();
  std::vector<OpId> execution;
  for (size_t i = 0; i < count; ++i) {
    if (!levels.accumulates(program.operations[i]))
      contract(program, order, OpId{i}, execution);
    execution.push_back(OpId{i});
  }
  if (program.operations.size() > count)
    compactProgram(program, execution);
}

} // namespace mpf
