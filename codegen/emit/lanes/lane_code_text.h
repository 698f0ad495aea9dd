// Prints how a kernel of lanes reads the codes of a case.
#pragma once

#include "codegen/bundle/lanes/lane_kernel.h"
#include "codegen/bundle/lanes/lane_program.h"

#include <string>

namespace mpf {

/// Returns the number of the word that holds the codes of a column of the schema.
uint64_t wordOf(const LaneKernel &kernel, uint32_t column);

/// Returns the expression for the code of a column of the schema, which it takes from the words w0,
/// w1, ... (LaneKernel::codeOrder).
std::string laneCodeText(const LaneKernel &kernel, uint32_t column);

/// Returns the expression for the start, in entries, of the row that a case's codes pick from a
/// table of the image.
std::string laneRowText(const LaneKernel &kernel, const LaneGather &gather,
                        const LaneImageTable &placed);

} // namespace mpf
