#include "codegen/plan/passes/pass_order_variables.h"

#include "codegen/plan/program/global_order.h"
#include "codegen/plan/program/program_edit.h"
#include "codegen/plan/program/slice_copies.h"
#include "codegen/plan/program/slice_levels.h"
#include "dsl/support/check.h"

namespace mpf {

void passOrderVariables(TableProgram &program, const std::vector<VarId> &order,
                        size_t slicedCount) {
  MPF_CHECK(order.size() == program.order.size(), "the order has {} variables, the program {}",
            order.size(), program.order.size());
  MPF_CHECK(slicedCount <= order.size(), "{} sliced variables of {}", slicedCount, order.size());
  program.order = addSlicedCopies(program, order, slicedCount);
  markSliced(program, slicedCount);
  const GlobalOrder positions(program);
  for (ProgramTable &table : program.tables)
    positions.sort(table.scope);
  for (Operation &operation : program.operations) {
    positions.sort(operation.reduced);
    operation.cost = operationCost(program, operation);
  }
}

} // namespace mpf
