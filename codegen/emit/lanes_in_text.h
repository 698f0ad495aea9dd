// Writes the lane program of a CUDA text behind that text, as comments, and reads it back. So an
// edited kernel of lanes can be checked (`mpfc check-kernel`): mpf emits the kernel of this program
// within these limits again; its name must be the one in the text.
//
//   //: limits terms=6000 ...                    limits of the device: lane_kernel_choice.h
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

/// Reads the comments that lanesInText wrote. Places are lines and columns of `cudaText`. Returns
/// none when an error was reported. Any bytes are safe input.
std::optional<DescribedLanes> readLanesInText(const SourceBuffer &cudaText,
                                              Diagnostics &diagnostics);

/// Returns the text to compile: `cudaText` without the comments of lanesInText and of launches at
/// its end. A compiler may take a carriage return for the end of a comment, so a text with one in
/// these lines is returned whole.
std::string_view withoutLanesInText(std::string_view cudaText);

} // namespace mpf
