#include "tests/simt/persistent_plan.h"

#include "codegen/kernel/plan/matrix_shape.h"

#include <algorithm>

namespace mpf::simt {

std::optional<MatrixPlan> persistentPlan(MatrixPlan plan, uint32_t blocks, StationarySide side) {
  const MatrixCounts counts = matrixCounts(plan);
  plan.persistent = true;
  plan.stages = std::max(2u, plan.stages);
  if (counts.tiles < 4 || plan.stages > counts.pages + 1)
    return std::nullopt;
  plan.rows.stationary = side == StationarySide::Rows;
  plan.columns.stationary = side == StationarySide::Columns;
  if (side != StationarySide::None)
    plan.raster = plan.columns.stationary ? 1 : counts.columnTiles;
  plan.columns.offsetElems = segmentElems(plan, plan.rows);
  plan.launch.gridBlocks = blocks;
  plan.launch.sharedBytes = static_cast<uint32_t>(matrixSharedBytes(plan));
  if (matrixSharedBytes(plan) > targetNamed("sm_90").sharedBytesPerBlock)
    return std::nullopt;
  return plan;
}

} // namespace mpf::simt
