#include "runtime/execute/lanes/compiled/step_readers.h"

namespace mpf {

StepReaders::StepReaders(const LaneProgram &program)
    : steps_(program.tables.size()), atEnd_(program.tables.size(), 0) {
  for (uint32_t i = 0; i < program.steps.size(); ++i)
    if (const auto *operation = std::get_if<LaneOperation>(&program.steps[i]))
      for (const LaneAccess &operand : operation->operands)
        if (steps_[operand.table].empty() || steps_[operand.table].back() != i)
          steps_[operand.table].push_back(i);
  for (const LaneOutput &output : program.outputs)
    atEnd_[output.access.table] = 1;
  for (const LaneTraceback &back : program.traceback)
    for (const LaneTraceback::Table &table : back.tables)
      atEnd_[table.access.table] = 1;
}

} // namespace mpf
