#include "codegen/plan/pass_nest_operations.h"

#include "codegen/plan/program_edit.h"
#include "codegen/plan/slice_levels.h"

#include <algorithm>

namespace mpf {

void passNestOperations(TableProgram &program) {
  const SliceLevels levels(program);
  if (levels.count() == 0)
    return;
  const size_t count = program.operations.size();
  std::vector<char> afterwards(count, 0); ///< depends on something accumulated
  std::vector<uint32_t> place(count, 0);
  for (size_t i = 0; i < count; ++i) {
    const Operation &operation = program.operations[i];
    for (const TableId id : operation.operands) {
      const OpId producer = program.table(id).producer;
      if (producer.valid() &&
          (levels.accumulates(program.operation(producer)) || afterwards[producer.index()]))
        afterwards[i] = 1;
    }
    const uint32_t level = levels.ofOperation(operation);
    place[i] = afterwards[i] ? 2 * levels.count() - level : level;
  }
  std::vector<OpId> execution;
  for (size_t i = 0; i < count; ++i)
    execution.push_back(OpId{i});
  std::stable_sort(execution.begin(), execution.end(),
                   [&place](OpId a, OpId b) { return place[a.index()] < place[b.index()]; });
  compactProgram(program, execution);
}

} // namespace mpf
