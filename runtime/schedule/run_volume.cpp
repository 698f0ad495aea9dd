#include "runtime/schedule/run_volume.h"

#include "codegen/bundle/slice_arenas.h"
#include "dsl/support/counts.h"

#include <algorithm>

namespace mpf {

RunVolume volumeOf(const Bundle &bundle) {
  const std::vector<double> runs = bundle.loopRuns();
  RunVolume volume;
  double operations = 0;
  for (const BundleOperation &operation : bundle.operations) {
    operations += runs[operation.loop];
    volume.loads += runs[operation.loop] * operation.addressesApproximately() *
                    static_cast<double>(operation.operands.size());
  }
  volume.operations = static_cast<uint64_t>(std::min(operations, 1e18));
  return volume;
}

UnboundChange changeOfUnbound(const Bundle &bundle) {
  UnboundChange change;
  std::vector<char> changes(bundle.buffers.size(), 0);
  for (const BundleInput &input : bundle.inputs)
    if (!input.table) {
      changes[input.buffer.index()] = 1;
      ++change.inputs;
      change.inputBytes += static_cast<double>(bundle.buffer(input.buffer).sizeElems) *
                           static_cast<double>(elementBytes(bundle.type));
    }
  for (const BundleOperation &operation : bundle.operations) {
    const bool depends =
        std::ranges::any_of(operation.operands, [&changes](const BundleAccess &operand) {
          return changes[operand.buffer.index()] != 0;
        });
    change.operations.push_back(depends ? 1 : 0);
    if (depends)
      changes[operation.result.buffer.index()] = 1;
  }
  return change;
}

uint64_t tableBytes(const Bundle &bundle) {
  return saturatingAdd(bundle.inputArenaBytes, bundle.workArenaBytes);
}

uint64_t neededTableBytes(const Bundle &bundle) {
  return saturatingAdd(bundle.inputArenaBytes, workTableBytes(bundle));
}

} // namespace mpf
