#include "runtime/execute/cpu/prepare_operation.h"

#include "runtime/execute/cpu/row_cost.h"

#include <algorithm>
#include <memory>
#include <optional>
#include <utility>

namespace mpf {

namespace {
/// The number of addresses below which the set-up of rows costs more than it saves.
constexpr double kEntriesLimit = 512;
} // namespace

CpuOperation prepareOperation(const BundleOperation &operation, bool logInputs,
                              const TileTarget &target) {
  CpuOperation op = prepareLoops(operation, logInputs);
  if (op.addresses() <= kEntriesLimit)
    return op;
  op.rows = std::make_unique<RowShape>(buildRowShape(op));
  op.path = CpuPath::Rows;
  op.timeNs = rowTimeNs(op, target);
  std::optional<TileShape> tiles = buildTileShape(op, target);
  if (!tiles || tiles->timeNs >= std::max(op.timeNs, logRowTimeNs(op)))
    return op;
  if (tiles->timeNs < op.timeNs) {
    op.path = CpuPath::Tiles;
    op.timeNs = tiles->timeNs;
  }
  op.tiles = std::make_unique<TileShape>(std::move(*tiles));
  return op;
}

} // namespace mpf
