// Who reads the messages of a lane program, and by which digits: what a message that is not to be
// stored must be asked.
#pragma once

#include "codegen/bundle/lanes/lane_program.h"

#include <cstdint>
#include <optional>
#include <vector>

namespace mpf {

/// By table: how often operations read it. What outputs and the traceback read, which must be
/// there, is read at least twice.
std::vector<uint32_t> countReads(const LaneProgram &program);

/// By digit of `reader`, which reads by `read` what `writer` wrote by `written`: the digit of the
/// writer that moves the message alike; none where the reader's digit does not move it, or has one
/// value. Nothing when the digits do not correspond one to one.
std::optional<std::vector<std::optional<size_t>>> matchDigits(const LaneOperation &reader,
                                                              const LaneAccess &read,
                                                              const LaneOperation &writer,
                                                              const LaneAccess &written);

} // namespace mpf
