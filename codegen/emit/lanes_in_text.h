// Writes the lane program that a CUDA text answers cases of behind that text, as comments, and
// reads it back. So an edited kernel of lanes can be checked (`mpfc check-kernel`): a kernel of a
// program is the one that mpf makes of it within the limits, under the name that its text gives it.
//
//   //: limits terms=6000 ...                    of the device: lane_kernel_choice.h
//   //: lanes evidence evidence f64 sum-product  print_lane_program.h
//   ...
#pragma once

#include "codegen/bundle/lanes/lane_program.h"
#include "codegen/emit/lane_kernel_choice.h"
#include "dsl/source/diagnostic.h"

#include <optional>
#include <string>

namespace mpf {

std::string lanesInText(const LaneProgram &program, const LaneLimitsOfDevice &limits);

struct DescribedLanes {
  LaneProgram program; ///< sound (verify_lane_program.h)
  LaneLimitsOfDevice limits;
  SourcePlace place;
};

/// Reads what lanesInText wrote. Places are lines and columns of `cudaText`. Returns none when an
/// error was reported. Any bytes are safe input.
std::optional<DescribedLanes> readLanesInText(const SourceBuffer &cudaText,
                                              Diagnostics &diagnostics);

/// The text without the lines of comments at its end, those of lanesInText and of launches: what is
/// compiled. To a compiler a carriage return may end a comment: a text that has one there stays.
std::string_view withoutLanesInText(std::string_view cudaText);

} // namespace mpf
