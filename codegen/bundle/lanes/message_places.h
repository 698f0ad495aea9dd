// Places messages by best fit. Messages that are never needed at the same time may share memory.
#pragma once

#include "codegen/bundle/lanes/lane_program.h"

#include <cstddef>
#include <cstdint>
#include <variant>
#include <vector>

namespace mpf {

/// The message that a step writes.
inline uint32_t messageOf(const LaneStep &step) {
  const auto *gather = std::get_if<LaneGather>(&step);
  return gather != nullptr ? gather->message : std::get<LaneOperation>(step).result.table;
}

struct MessagePlaces {
  std::vector<uint64_t> offsetsElems; ///< by table; 0 for tables that are no messages
  uint64_t laneElems = 0;             ///< entries of the arena of one lane
};

/// Places the messages. `runsAt` has, by step, the step at which it runs: itself, or a later step
/// that includes it. The message of an included step has no place.
///
/// A message is needed from the step that writes it to the last step that reads it; messages of
/// outputs and of the traceback are needed to the end. The result of a step shares no entry with
/// the operands of the step.
MessagePlaces placeMessages(const LaneProgram &program, const std::vector<size_t> &runsAt);

} // namespace mpf
