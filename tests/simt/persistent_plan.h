// Changes plans of family mma so that few blocks go through the tiles of a small bucket.
#pragma once

#include "codegen/kernel/plan/matrix_plan.h"

#include <optional>

namespace mpf::simt {

enum class StationarySide { None, Rows, Columns };

/// Returns the plan with `blocks` blocks that go from tile to tile, if it has enough tiles, pages
/// and bytes.
std::optional<MatrixPlan> persistentPlan(MatrixPlan plan, uint32_t blocks,
                                         StationarySide side = StationarySide::None);

} // namespace mpf::simt
