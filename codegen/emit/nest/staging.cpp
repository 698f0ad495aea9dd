#include "codegen/emit/nest/staging.h"

#include "codegen/kernel/plan/kernel_shape.h"
#include "dsl/support/check.h"

#include <algorithm>

namespace mpf {

Staging buildStaging(const Nest &nest, const NestTable &table, const Segment &segment) {
  MPF_CHECK(table.isShared() && table.sharedStrides.size() == nest.axes.size(),
            "{}: operand {} is not staged", nest.plan->name, table.name);
  Staging staging;
  const std::vector<uint64_t> dealt = dealtOut(segment, nest.plan->launch.blockThreads);
  staging.even = segment.fetchParts.empty() || !dealt.empty();
  // Slots name axes of the nest, which has none for extent 1.
  for (size_t i = segment.fetchParts.size(); i-- > 0;) {
    const FetchPart &part = segment.fetchParts[i];
    if (part.extent == 1)
      continue;
    const size_t axis = nest.axisNamed(nest.plan->axes[part.axis].name);
    staging.slots.push_back({axis, part.step, part.extent, table.globalStrides[axis] * part.step,
                             table.sharedStrides[axis] * part.step, dealt.empty() ? 1 : dealt[i]});
    staging.positions *= part.extent;
    staging.busyThreads *= staging.slots.back().threadExtent;
  }
  uint64_t between = 1; ///< distance in the segment of neighbours in a vector
  if (table.fetchVector > 1) {
    const auto unit = std::find(table.globalStrides.begin(), table.globalStrides.end(), 1u);
    MPF_CHECK(unit != table.globalStrides.end(), "{}: segment {} has no axis of stride 1",
              nest.plan->name, table.name);
    between = table.sharedStrides[static_cast<size_t>(unit - table.globalStrides.begin())];
  }
  for (uint64_t entry = 0; entry < table.fetchVector; ++entry)
    staging.entryOffsets.push_back(entry * between);
  MPF_CHECK(staging.positions * table.fetchVector == segment.sizeElems,
            "{}: {} vectors of {} do not make the {} entries of segment {}", nest.plan->name,
            staging.positions, table.fetchVector, segment.sizeElems, table.name);
  MPF_CHECK(staging.busyThreads <= nest.plan->launch.blockThreads,
            "{}: {} threads of {} fetch segment {}", nest.plan->name, staging.busyThreads,
            nest.plan->launch.blockThreads, table.name);
  staging.vectorStore = table.fetchVector > 1 && between == 1;
  return staging;
}

} // namespace mpf
