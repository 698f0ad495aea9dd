#include "runtime/execute/lanes/strip_schedule.h"

#include "codegen/bundle/lanes/message_places.h"

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

} // namespace mpf
