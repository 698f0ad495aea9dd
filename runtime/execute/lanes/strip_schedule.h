// Schedules the steps of a program in a strip, and places its messages.
//
// A program already has places for messages (LaneTable::offsetElems), which are valid if its steps
// run one after the other. A butterfly reads the message of its first step and all its tables when
// its last step runs, and its inner messages need no place. So strips have separate places.
#pragma once

#include "codegen/bundle/lanes/lane_program.h"
#include "codegen/bundle/lanes/linear_plan.h"
#include "runtime/execute/lanes/compiled/strip_places.h"
#include "runtime/execute/lanes/strip_butterfly.h"

#include <cstddef>
#include <cstdint>
#include <vector>

namespace mpf {

struct StripSchedule {
  static constexpr size_t kAlone = SIZE_MAX;
  std::vector<Butterfly> butterflies;
  std::vector<size_t> butterflyOf;    ///< by step: index of its butterfly, or kAlone
  std::vector<uint64_t> offsetsElems; ///< by message: its place in the memory of a lane
  uint64_t laneElems = 0;             ///< size of the memory of a lane

  /// True if work runs at this step. A butterfly runs at its last step.
  bool runs(size_t step) const {
    return butterflyOf[step] == kAlone || butterflies[butterflyOf[step]].steps.back() == step;
  }
};

/// Returns a schedule with every step alone, in the program's places.
StripSchedule scheduleAlone(const LaneProgram &program);

/// Returns a schedule with all butterflies of the program.
StripSchedule scheduleButterflies(const LaneProgram &program, const LinearPlan &plan);

/// Returns for each step whether it is in no butterfly.
std::vector<char> stepsAlone(const StripSchedule &schedule);

/// Returns the places of a strip's memory, with the messages in the places of the schedule.
StripPlaces placeStrip(const LaneProgram &program, const LinearPlan &plan,
                       const StripSchedule &schedule, size_t lanes, size_t vectorLanes);

} // namespace mpf
