// Places of messages by best fit, so that messages that are never needed at the same time share
// memory.
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
  std::vector<uint64_t> offsetsElems; ///< by table; of others than messages 0
  uint64_t laneElems = 0;             ///< of the arena of one lane
};

/// `runsAt`, by step: the step at which it runs, itself or a later one, which runs it as a part of
/// its own: its message has no place then. A message is needed from the step that writes it to the
/// last one that reads it; those of outputs and of the traceback to the end. The result of a step
/// shares no entry with what the step reads.
MessagePlaces placeMessages(const LaneProgram &program, const std::vector<size_t> &runsAt);

} // namespace mpf
