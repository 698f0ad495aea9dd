// How the text of a kernel of lanes reads the code of a case.
#pragma once

#include "codegen/bundle/lanes/lane_kernel.h"
#include "codegen/bundle/lanes/lane_program.h"

#include <string>

namespace mpf {

/// The word that holds the codes of a column of the schema.
uint64_t wordOf(const LaneKernel &kernel, uint32_t column);

/// The code of a column of the schema, out of the words w0, w1, ... (LaneKernel::codeOrder).
std::string laneCodeText(const LaneKernel &kernel, uint32_t column);

/// Where the row begins that the codes of a case pick from a table of the image, in entries.
std::string laneRowText(const LaneKernel &kernel, const LaneGather &gather,
                        const LaneImageTable &placed);

} // namespace mpf
