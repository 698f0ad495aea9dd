// Plans of family mma changed by hand so that few blocks go through the tiles of a small bucket.
#pragma once

#include "codegen/kernel/plan/matrix_plan.h"

#include <optional>

namespace mpf::simt {

enum class Stays { None, Rows, Columns }; ///< the side whose pages stay in shared memory

/// The plan with `blocks` that go from tile to tile, if it has so many tiles, pages and bytes.
std::optional<MatrixPlan> walkingPlan(MatrixPlan plan, uint32_t blocks, Stays stays = Stays::None);

} // namespace mpf::simt
