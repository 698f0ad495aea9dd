#include "tools/mpf-bench/lanes/sweep_steps.h"

#include "dsl/support/check.h"

#include <variant>

namespace mpf::bench {

namespace {

SweepStep stepOf(const LaneProgram &program, const LaneGather &gather) {
  SweepStep step;
  step.name = program.tables[gather.message].name;
  step.operands = "a row of " + program.tables[gather.table].name;
  step.resultElems = step.sharedElems = program.tables[gather.message].sizeElems;
  return step;
}

SweepStep stepOf(const LaneProgram &program, const LaneOperation &operation) {
  SweepStep step;
  step.name = program.tables[operation.result.table].name;
  step.resultElems = operation.keptAddresses();
  step.terms = operation.reducedAddresses();
  for (const LaneAccess &operand : operation.operands) {
    const LaneTable &table = program.tables[operand.table];
    step.operands += (step.operands.empty() ? "" : " * ") + table.name;
    (table.perCase() ? step.messageElems : step.sharedElems) += table.sizeElems;
  }
  return step;
}

uint32_t resultOf(const LaneStep &step) {
  const auto *gather = std::get_if<LaneGather>(&step);
  return gather != nullptr ? gather->message : std::get<LaneOperation>(step).result.table;
}

} // namespace

std::vector<SweepStep> sweepSteps(const LaneProgram &program, const LinearPlan &plan,
                                  const std::vector<double> &seconds) {
  std::vector<SweepStep> steps;
  if (seconds.empty())
    return steps;
  MPF_CHECK(seconds.size() == program.steps.size(), "times of {} steps, of {}", seconds.size(),
            program.steps.size());
  for (size_t i = 0; i < program.steps.size(); ++i) {
    steps.push_back(
        std::visit([&](const auto &step) { return stepOf(program, step); }, program.steps[i]));
    steps.back().isRescaled = plan.rescaled[resultOf(program.steps[i])] != 0;
    steps.back().threadUs = seconds[i] * 1e6;
  }
  return steps;
}

} // namespace mpf::bench
