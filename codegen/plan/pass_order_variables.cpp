#include "codegen/plan/pass_order_variables.h"

#include "codegen/plan/global_order.h"
#include "dsl/support/check.h"

namespace mpf {

void passOrderVariables(TableProgram &program, const std::vector<VarId> &order) {
  MPF_CHECK(order.size() == program.order.size(), "the order has {} variables, the program {}",
            order.size(), program.order.size());
  program.order = order;
  const GlobalOrder positions(program);
  for (ProgramTable &table : program.tables)
    positions.sort(table.scope);
  for (Operation &operation : program.operations)
    positions.sort(operation.reduced);
}

} // namespace mpf
