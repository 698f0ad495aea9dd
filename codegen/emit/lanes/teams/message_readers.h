// Lists the readers of each message of a lane program, and the digits by which they read it. It
// serves to decide which messages need no storage.
#pragma once

#include "codegen/bundle/lanes/lane_program.h"

#include <cstdint>
#include <optional>
#include <vector>

namespace mpf {

/// Returns, by table, how often operations read it. Tables that an output or the traceback reads
/// must be stored, so they count as read at least twice.
std::vector<uint32_t> countReads(const LaneProgram &program);

/// Matches the digits of two operations on one message: `writer` wrote it with access `written`,
/// `reader` reads it with access `read`. Returns, by digit of the reader, the writer's digit with
/// the same extent and stride.
///
/// An element is none if the reader's digit has one value or does not move the message. The result
/// is nothing if the digits do not correspond one to one.
std::optional<std::vector<std::optional<size_t>>> matchDigits(const LaneOperation &reader,
                                                              const LaneAccess &read,
                                                              const LaneOperation &writer,
                                                              const LaneAccess &written);

} // namespace mpf
