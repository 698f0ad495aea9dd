// What a strip runs for each step of a program, and where its messages lie meanwhile.
//
// A program has places for messages already (LaneTable::offsetElems), which hold where its steps
// run one after the other. A butterfly reads the message of its first step and all its tables when
// its last step runs, and its messages in between need no place. So strips have places of their
// own.
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
  std::vector<size_t> butterflyOf;    ///< by step: which one it is part of, or kAlone
  std::vector<uint64_t> offsetsElems; ///< by message: its place in the memory of a lane
  uint64_t laneElems = 0;             ///< of that memory

  /// Whether something runs at that step: all of the butterfly at its last one.
  bool runs(size_t step) const {
    return butterflyOf[step] == kAlone || butterflies[butterflyOf[step]].steps.back() == step;
  }
};

/// Every step alone, in the places that the program has.
StripSchedule scheduleAlone(const LaneProgram &program);

/// With all butterflies of the program.
StripSchedule scheduleButterflies(const LaneProgram &program, const LinearPlan &plan);

/// By step: whether it runs alone, no part of a butterfly.
std::vector<char> stepsAlone(const StripSchedule &schedule);

/// Where everything of a strip lies, with the messages in their places of the schedule.
StripPlaces placeStrip(const LaneProgram &program, const LinearPlan &plan,
                       const StripSchedule &schedule, size_t lanes, size_t vectorLanes);

} // namespace mpf
