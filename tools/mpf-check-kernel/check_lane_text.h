// Checks an edited CUDA text of kernels that answer lists of cases.
#pragma once

#include "tools/mpf-check-kernel/checked_text.h"

#include <string>
#include <string_view>
#include <vector>

namespace mpf {

/// Whether a text has kernels of lanes: of one program, or table-driven teams.
bool isOfLanes(std::string_view cudaText);

/// As checkText. The lane program that the kernels answer is in the text's comments
/// (codegen/emit/lanes_in_text.h).
std::vector<std::string> checkLaneText(CheckedText &text);

} // namespace mpf
