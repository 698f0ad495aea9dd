// Checks an edited CUDA text of the table-driven kernels, which run any program level by level.
#pragma once

#include "tools/mpf-check-kernel/checked_text.h"

#include <string>
#include <string_view>
#include <vector>

namespace mpf {

/// Whether a text has table-driven kernels (codegen/emit/table_driven_source.h), edited or not.
bool isTableDriven(std::string_view cudaText);

/// Checks a text like checkText. The kernels run the programs of table_programs.h: once with
/// separate launches for levels, once with levels that share launches whose blocks wait for each
/// other. Throws Error(Device) in a build without CUDA.
std::vector<std::string> checkTableText(CheckedText &text);

} // namespace mpf
