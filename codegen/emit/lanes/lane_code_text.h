// How the text of a kernel of lanes reads the code of a case.
#pragma once

#include "codegen/bundle/lanes/lane_kernel.h"

#include <string>

namespace mpf {

/// The word that holds the codes of a column of the schema.
uint64_t wordOf(const LaneKernel &kernel, uint32_t column);

/// The code of a column of the schema, out of the words w0, w1, ... (LaneKernel::codeOrder).
std::string laneCodeText(const LaneKernel &kernel, uint32_t column);

} // namespace mpf
