#include "runtime/execute/lanes/strip_steps.h"

#include "dsl/support/counts.h"

namespace mpf {

namespace {

StripStep stripStep(const LaneProgram &program, const LaneGather &gather) {
  StripStep step;
  step.isGather = true;
  step.isIndicator = program.tables[gather.table].kind == LaneTableKind::Indicator;
  step.table = gather.table;
  step.result = gather.message;
  for (const LaneCode &code : gather.codes) {
    step.columns.push_back(code.column);
    step.strides.push_back(step.isIndicator ? 1 : code.strideElems);
  }
  return step;
}

StripStep stripStep(const LaneProgram &program, const LaneOperation &operation) {
  StripStep step;
  step.addresses = laneAddresses(operation);
  step.isMax = operation.semiring.reduce == Reduce::Max;
  step.result = operation.result.table;
  for (uint32_t s = 0; s < operation.operands.size(); ++s) {
    const uint32_t table = operation.operands[s].table;
    step.tables.push_back(table);
    (program.tables[table].perCase() ? step.messages : step.shared).push_back(s);
  }
  return step;
}

} // namespace

std::vector<StripStep> stripSteps(const LaneProgram &program) {
  std::vector<StripStep> steps;
  for (const LaneStep &step : program.steps)
    steps.push_back(std::visit([&](const auto &one) { return stripStep(program, one); }, step));
  return steps;
}

uint64_t stripAddressBytes(const LaneProgram &program) {
  uint64_t count = 0;
  for (const LaneStep &step : program.steps)
    if (const auto *operation = std::get_if<LaneOperation>(&step))
      count = saturatingAdd(count, laneAddressCount(*operation));
  for (const LaneOutput &output : program.outputs)
    count = saturatingAdd(count, output.sizeElems());
  return saturatingMul(count, sizeof(uint64_t));
}

} // namespace mpf
