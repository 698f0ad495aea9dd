#include "codegen/lanes/lane_memory.h"

#include "codegen/bundle/lanes/message_places.h"

#include <numeric>

namespace mpf {

void planLaneMemory(LaneProgram &program) {
  std::vector<size_t> runsAt(program.steps.size());
  std::iota(runsAt.begin(), runsAt.end(), size_t{0});
  const MessagePlaces places = placeMessages(program, runsAt);
  for (size_t t = 0; t < program.tables.size(); ++t)
    if (program.tables[t].kind == LaneTableKind::Message)
      program.tables[t].offsetElems = places.offsetsElems[t];
  program.laneElems = places.laneElems;
}

} // namespace mpf
