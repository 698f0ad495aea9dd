#include "runtime/execute/gpu/runs/result_tables.h"

#include "runtime/execute/host/integer_tables.h"

namespace mpf {

TableView viewOf(const Bundle &bundle, BufferId buffer, const std::byte *bytes,
                 const TableState &state) {
  const uint64_t elems = bundle.buffer(buffer).sizeElems;
  const bool signs = state.form != 0 && bundle.signedValues;
  const auto *plane = reinterpret_cast<const int8_t *>(bytes + elems * elementBytes(bundle.type));
  return {bundle.type, state, elems, bytes, signs ? plane : nullptr};
}

void refuseLost(const Bundle &bundle, int32_t noted, const std::vector<TableState> &states) {
  if (!isIntegerType(bundle.type))
    return;
  for (size_t i = 0; i < bundle.operations.size(); ++i) {
    const BundleOperation &operation = bundle.operations[i];
    if (static_cast<int64_t>(i) == noted ||
        isLostCount(states[operation.result.buffer.index()], bundle.type))
      failOverflow(operation.name, bundle.type);
  }
}

} // namespace mpf
