// The text of a kernel of lanes (emit_lanes.h), which calls it MPF_LANES.
#pragma once

#include "codegen/emit/lanes/lane_statements.h"

#include <functional>
#include <string>

namespace mpf {

struct LaneBlockShape {
  uint32_t threads = 128; ///< threads of a block
  uint32_t blocks = 1;    ///< resident blocks of a multiprocessor; they bound a thread's registers
};
/// Returns the shape of blocks whose threads hold up to `aliveEntries` entries at a time.
using ShapeOfBlocks = std::function<LaneBlockShape(uint64_t aliveEntries)>;

std::string laneText(const LaneTextParts &parts, const ShapeOfBlocks &shape);

} // namespace mpf
