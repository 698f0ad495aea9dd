#include "codegen/plan/program/slice_strides.h"

#include "codegen/plan/program/program_edit.h"
#include "codegen/plan/program/storage_order.h"

#include <algorithm>

namespace mpf {

std::vector<uint64_t> sliceStridesElems(const TableProgram &program, const SliceLevels &levels,
                                        TableId table) {
  if (levels.count() == 0 || !program.table(table).isInput())
    return {};
  const std::vector<VarId> order = storageOrder(program, table);
  const uint32_t loops = levels.ofScope(order);
  std::vector<uint64_t> strides(loops == 0 ? 0 : levels.count(), 0);
  for (uint32_t loop = 0; loop < loops; ++loop) {
    const auto at = std::find(order.begin(), order.end(), program.order[loop]);
    if (at != order.end())
      strides[loop] = programElems(program, {at + 1, order.end()});
  }
  return strides;
}

} // namespace mpf
