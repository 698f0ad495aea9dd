// Checks an edited CUDA text of kernels that answer lists of cases.
#pragma once

#include "tools/mpf-check-kernel/checked_text.h"

#include <string>
#include <string_view>
#include <vector>

namespace mpf {

/// Whether a text has kernels of lanes: generated for one program, or table-driven teams.
bool isOfLanes(std::string_view cudaText);

/// Checks a text like checkText. The text's comments must hold the lane program of the kernels
/// (codegen/emit/lanes_in_text.h).
std::vector<std::string> checkLaneText(CheckedText &text);

} // namespace mpf
