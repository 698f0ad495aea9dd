#include "runtime/execute/lanes/strip_schedule.h"

#include "codegen/bundle/lanes/message_places.h"
#include "codegen/bundle/lanes/shared_tables.h"

#include <numeric>
#include <utility>

namespace mpf {

StripSchedule scheduleAlone(const LaneProgram &program) {
  StripSchedule schedule;
  schedule.butterflyOf.assign(program.steps.size(), StripSchedule::kAlone);
  for (const LaneTable &table : program.tables)
    schedule.offsetsElems.push_back(table.offsetElems);
  schedule.laneElems = program.laneElems;
  return schedule;
}

StripSchedule scheduleButterflies(const LaneProgram &program, const LinearPlan &plan) {
  StripSchedule schedule = scheduleAlone(program);
  schedule.butterflies = findButterflies(program, plan);
  if (schedule.butterflies.empty())
    return schedule;
  std::vector<size_t> runsAt(program.steps.size());
  std::iota(runsAt.begin(), runsAt.end(), size_t{0});
  for (size_t b = 0; b < schedule.butterflies.size(); ++b)
    for (const size_t step : schedule.butterflies[b].steps) {
      schedule.butterflyOf[step] = b;
      runsAt[step] = schedule.butterflies[b].steps.back();
    }
  MessagePlaces places = placeMessages(program, runsAt);
  schedule.offsetsElems = std::move(places.offsetsElems);
  schedule.laneElems = places.laneElems;
  return schedule;
}

std::vector<char> stepsAlone(const StripSchedule &schedule) {
  std::vector<char> alone;
  for (const size_t of : schedule.butterflyOf)
    alone.push_back(of == StripSchedule::kAlone);
  return alone;
}

StripPlaces placeStrip(const LaneProgram &program, const LinearPlan &plan,
                       const StripSchedule &schedule, size_t lanes, size_t vectorLanes) {
  StripPlaces places;
  places.lanes = lanes;
  places.vectorLanes = vectorLanes;
  places.codeBytes = codeBytesFor(program.schema);
  places.messages = schedule.offsetsElems;
  places.shared.assign(program.tables.size(), 0);
  places.weightRows.assign(program.tables.size(), 0);
  places.exponentRows.assign(program.tables.size(), 0);
  uint64_t sharedElems = 0;
  for (const uint32_t table : sharedTables(program)) {
    places.shared[table] = sharedElems;
    sharedElems += program.tables[table].sizeElems;
  }
  for (uint32_t i = 0; i < program.tables.size(); ++i) {
    if (plan.hasExponent[i] != 0)
      places.exponentRows[i] = places.exponentCount++;
    if (program.tables[i].kind == LaneTableKind::Weights)
      places.weightRows[i] = program.schema.firstWeight(program.tables[i].source);
  }
  return places;
}

} // namespace mpf
