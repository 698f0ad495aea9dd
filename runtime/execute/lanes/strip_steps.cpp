#include "runtime/execute/lanes/strip_steps.h"

#include "codegen/bundle/lanes/lane_addresses.h"
#include "dsl/support/counts.h"
#include "runtime/execute/lanes/strip_nest.h"

#include <span>

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

/// Returns how many passive digits of a butterfly are in its outer addresses.
size_t outerDigits(const Butterfly &butterfly) {
  size_t split = butterfly.extents.size();
  for (uint64_t count = 1; split > 0; --split) {
    count = saturatingMul(count, butterfly.extents[split - 1]);
    if (count > kMostInner)
      break;
  }
  return split;
}

uint64_t product(std::span<const uint64_t> extents) {
  uint64_t count = 1;
  for (const uint64_t extent : extents)
    count = saturatingMul(count, extent);
  return count;
}

StripStep butterflyStep(const LaneProgram &program, const Butterfly &butterfly) {
  StripStep step;
  step.butterfly = StripButterfly{&butterfly, {}};
  step.result = butterfly.result.table;
  step.isMax = program.semiring.reduce == Reduce::Max;
  const size_t split = outerDigits(butterfly);
  const auto add = [&](const ButterflyAccess &access) {
    std::vector<StridedPlace> places;
    for (size_t d = 0; d < butterfly.extents.size(); ++d)
      places.push_back({access.stridesElems[d], butterfly.extents[d]});
    step.butterfly->addresses.push_back(
        {placeOffsets(std::span(places).first(split), access.baseElems),
         placeOffsets(std::span(places).subspan(split), 0),
         {},
         0,
         0});
    if (access.table != butterfly.result.table)
      step.tables.push_back(access.table);
  };
  add(butterfly.input);
  for (const ButterflyAccess &table : butterfly.tables)
    add(table);
  add(butterfly.result);
  return step;
}

uint64_t butterflyAddresses(const Butterfly &butterfly) {
  const std::span<const uint64_t> extents = butterfly.extents;
  const size_t split = outerDigits(butterfly);
  return saturatingMul(
      saturatingAdd(product(extents.first(split)), product(extents.subspan(split))),
      butterfly.tables.size() + 2);
}

} // namespace

std::vector<StripNest> stripNests(const LaneProgram &program, const StripSchedule &schedule,
                                  uint64_t stretchBytes, uint64_t entryBytes) {
  std::vector<StripNest> nests(program.steps.size());
  std::vector<uint64_t> slotBytes;
  for (size_t i = 0; i < nests.size(); ++i) {
    const auto *operation = std::get_if<LaneOperation>(&program.steps[i]);
    if (operation == nullptr || schedule.butterflyOf[i] != StripSchedule::kAlone)
      continue;
    slotBytes.clear();
    for (size_t s = 0; s < operation->slotCount(); ++s)
      slotBytes.push_back(program.tables[operation->slot(s).table].perCase() ? stretchBytes
                                                                             : entryBytes);
    nests[i] = stripNest(mergedForStrips(*operation), slotBytes);
  }
  return nests;
}

std::vector<StripStep> stripSteps(const LaneProgram &program, const StripSchedule &schedule,
                                  const std::vector<StripNest> &nests) {
  std::vector<StripStep> steps;
  for (size_t i = 0; i < nests.size(); ++i) {
    if (!schedule.runs(i))
      steps.emplace_back().runs = false;
    else if (const size_t of = schedule.butterflyOf[i]; of != StripSchedule::kAlone)
      steps.push_back(butterflyStep(program, schedule.butterflies[of]));
    else
      steps.push_back(std::visit([&](const auto &one) { return stripStep(program, one, nests[i]); },
                                 program.steps[i]));
  }
  return steps;
}

uint64_t stripAddressBytes(const LaneProgram &program, const StripSchedule &schedule,
                           const std::vector<StripNest> &nests) {
  uint64_t count = 0;
  for (size_t i = 0; i < nests.size(); ++i)
    if (const auto *operation = std::get_if<LaneOperation>(&program.steps[i]);
        operation != nullptr && schedule.butterflyOf[i] == StripSchedule::kAlone)
      count = saturatingAdd(count, stripNestAddresses(mergedForStrips(*operation), nests[i]));
  for (const Butterfly &butterfly : schedule.butterflies)
    count = saturatingAdd(count, butterflyAddresses(butterfly));
  for (const LaneOutput &output : program.outputs)
    count = saturatingAdd(count, output.sizeElems());
  return saturatingMul(count, sizeof(uint64_t));
}

} // namespace mpf
