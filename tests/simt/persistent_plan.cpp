#include "tests/simt/persistent_plan.h"

#include "codegen/kernel/plan/matrix_shape.h"

#include <algorithm>

namespace mpf::simt {

std::optional<KernelPlan> walkingPlan(KernelPlan plan, uint32_t blocks, Stays stays) {
  const MatrixCounts counts = matrixCounts(plan);
  MatrixPlan &matrix = *plan.matrix;
  matrix.persistent = true;
  matrix.stages = std::max(2u, matrix.stages);
  if (counts.tiles < 4 || matrix.stages > counts.pages + 1)
    return std::nullopt;
  matrix.rows.stationary = stays == Stays::Rows;
  matrix.columns.stationary = stays == Stays::Columns;
  if (stays != Stays::None)
    matrix.raster = matrix.columns.stationary ? 1 : counts.columnTiles;
  matrix.columns.offsetElems = segmentElems(plan, matrix.rows);
  plan.launch.gridBlocks = blocks;
  plan.launch.sharedBytes = static_cast<uint32_t>(matrixSharedBytes(plan));
  if (matrixSharedBytes(plan) > targetNamed("sm_90").sharedBytesPerBlock)
    return std::nullopt;
  return plan;
}

} // namespace mpf::simt
