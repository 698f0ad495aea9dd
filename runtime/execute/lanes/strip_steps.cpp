#include "runtime/execute/lanes/strip_steps.h"

#include "codegen/bundle/lanes/lane_addresses.h"
#include "dsl/support/counts.h"
#include "runtime/execute/lanes/strip_nest.h"

namespace mpf {

namespace {

StripStep stripStep(const LaneProgram &program, const LaneGather &gather, const StripNest &) {
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

StripStep stripStep(const LaneProgram &program, const LaneOperation &given, const StripNest &nest) {
  const LaneOperation operation = mergedForStrips(given);
  StripStep step;
  step.columnEntries = nest.column ? operation.digits[*nest.column].extent : 1;
  step.rowEntries = nest.row ? operation.digits[*nest.row].extent : 1;
  for (size_t s = 0; s < operation.slotCount(); ++s) {
    const LaneAccess &access = operation.slot(s);
    step.addresses.push_back({laneOffsets(operation, access, nest.outer, access.baseElems),
                              laneOffsets(operation, access, nest.inner, 0),
                              laneOffsets(operation, access, nest.reduced, 0),
                              nest.column ? access.stridesElems[*nest.column] : 0,
                              nest.row ? access.stridesElems[*nest.row] : 0});
  }
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

std::vector<StripNest> stripNests(const LaneProgram &program, uint64_t entryBytes) {
  std::vector<StripNest> nests(program.steps.size());
  for (size_t i = 0; i < nests.size(); ++i)
    if (const auto *operation = std::get_if<LaneOperation>(&program.steps[i]))
      nests[i] = stripNest(mergedForStrips(*operation), entryBytes);
  return nests;
}

std::vector<StripStep> stripSteps(const LaneProgram &program, const std::vector<StripNest> &nests) {
  std::vector<StripStep> steps;
  for (size_t i = 0; i < nests.size(); ++i)
    steps.push_back(std::visit([&](const auto &one) { return stripStep(program, one, nests[i]); },
                               program.steps[i]));
  return steps;
}

uint64_t stripAddressBytes(const LaneProgram &program, const std::vector<StripNest> &nests) {
  uint64_t count = 0;
  for (size_t i = 0; i < nests.size(); ++i)
    if (const auto *operation = std::get_if<LaneOperation>(&program.steps[i]))
      count = saturatingAdd(count, stripNestAddresses(mergedForStrips(*operation), nests[i]));
  for (const LaneOutput &output : program.outputs)
    count = saturatingAdd(count, output.sizeElems());
  return saturatingMul(count, sizeof(uint64_t));
}

} // namespace mpf
