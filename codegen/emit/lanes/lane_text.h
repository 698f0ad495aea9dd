// The text of a kernel of lanes (emit_lanes.h), which calls it MPF_LANES.
#pragma once

#include "codegen/emit/lanes/lane_statements.h"

#include <functional>
#include <string>

namespace mpf {

struct LaneBlockShape {
  uint32_t threads = 128; ///< of a block
  uint32_t blocks = 1;    ///< on a multiprocessor: their registers bound those of a thread
};
/// What blocks are like when so many entries are alive in each thread.
using ShapeOfBlocks = std::function<LaneBlockShape(uint64_t aliveEntries)>;

std::string laneText(const LaneTextParts &parts, const ShapeOfBlocks &shape);

} // namespace mpf
