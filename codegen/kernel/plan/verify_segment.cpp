// The invariants of one segment (verify_nest.h).
#include "codegen/kernel/plan/bank_conflicts.h"
#include "codegen/kernel/plan/kernel_shape.h"
#include "codegen/kernel/plan/page_sequence.h"
#include "codegen/kernel/plan/vector_width.h"
#include "codegen/kernel/plan/verify_nest.h"
#include "dsl/support/counts.h"

#include <algorithm>

namespace mpf {

namespace {
constexpr uint64_t kCopyAlignBytes = 16; ///< the widest asynchronous copy

std::string findScopeFault(const NestPlan &plan, const Segment &segment) {
  std::vector<uint32_t> tag, pages;
  uint64_t size = 1;
  for (uint32_t a = 0; a < plan.axes.size(); ++a) {
    if (!sourceVaries(plan, segment.operand, a))
      continue;
    const AxisRole role = plan.axes[a].role;
    if (role == AxisRole::Page)
      pages.push_back(a);
    if (role != AxisRole::Page && role != AxisRole::Block) {
      tag.push_back(a);
      size = saturatingMul(size, plan.axes[a].extent);
    }
  }
  if (tag != segment.tagAxes || pages != segment.pageAxes)
    return fmt::format("segment {} lists {} tag and {} page axes, its operand varies over {} and "
                       "{} (in axis order)",
                       segment.operand, segment.tagAxes.size(), segment.pageAxes.size(), tag.size(),
                       pages.size());
  if (size != segment.sizeElems)
    return fmt::format("segment {} has size {}, its axes make {}", segment.operand,
                       segment.sizeElems, size);
  if (segmentLifetime(plan, segment) != segment.lifetimePages)
    return fmt::format("segment {} has lifetime {}, its page axes give {}", segment.operand,
                       segment.lifetimePages, segmentLifetime(plan, segment));
  return {};
}

/// Returns a fault of the layout. No two entries may share a place, and the last one must be inside
/// the allocation.
std::string findLayoutFault(const NestPlan &plan, const Segment &segment) {
  if (segment.stridesElems.size() != segment.tagAxes.size())
    return fmt::format("segment {} has {} strides for {} axes", segment.operand,
                       segment.stridesElems.size(), segment.tagAxes.size());
  std::vector<size_t> order;
  for (size_t i = 0; i < segment.tagAxes.size(); ++i)
    if (plan.axes[segment.tagAxes[i]].extent > 1)
      order.push_back(i);
  std::sort(order.begin(), order.end(),
            [&](size_t a, size_t b) { return segment.stridesElems[a] < segment.stridesElems[b]; });
  uint64_t reached = 0;
  for (size_t i : order) {
    if (segment.stridesElems[i] <= reached)
      return fmt::format("segment {}: axis {} with stride {} overlaps entries up to {}",
                         segment.operand, plan.axes[segment.tagAxes[i]].name,
                         segment.stridesElems[i], reached);
    reached = saturatingAdd(
        reached, saturatingMul(plan.axes[segment.tagAxes[i]].extent - 1, segment.stridesElems[i]));
  }
  if (reached >= segment.allocatedElems)
    return fmt::format("segment {} reaches entry {} of {} allocated", segment.operand, reached,
                       segment.allocatedElems);
  return {};
}

/// Returns a fault of the fetch. Its parts must cover each axis exactly once; they cover the
/// contiguous axis in vectors.
std::string findFetchFault(const NestPlan &plan, const Segment &segment) {
  if (segment.fetchVector == 0 || !fetchAllowed(plan, segment, segment.fetchVector))
    return fmt::format("segment {}: fetches of {} elements are not contiguous, aligned and all "
                       "inside or outside",
                       segment.operand, segment.fetchVector);
  for (const FetchPart &part : segment.fetchParts)
    if (part.extent == 0 || part.step == 0 ||
        std::find(segment.tagAxes.begin(), segment.tagAxes.end(), part.axis) ==
            segment.tagAxes.end())
      return fmt::format("segment {}: a fetch part is empty or not over its axes", segment.operand);
  for (uint32_t axis : segment.tagAxes) {
    std::vector<FetchPart> parts;
    for (const FetchPart &part : segment.fetchParts)
      if (part.axis == axis && part.extent > 1)
        parts.push_back(part);
    std::sort(parts.begin(), parts.end(),
              [](const FetchPart &a, const FetchPart &b) { return a.step < b.step; });
    const bool unit = plan.axes[axis].extent > 1 && globalStride(plan, segment.operand, axis) == 1;
    uint64_t covered = unit ? segment.fetchVector : 1;
    for (const FetchPart &part : parts) {
      if (part.step != covered)
        return fmt::format("segment {}: a fetch part of axis {} has step {}, the finer ones "
                           "cover {}",
                           segment.operand, plan.axes[axis].name, part.step, covered);
      covered = saturatingMul(covered, part.extent);
    }
    if (covered != plan.axes[axis].extent)
      return fmt::format("segment {}: the fetch covers {} of {} values of axis {}", segment.operand,
                         covered, plan.axes[axis].extent, plan.axes[axis].name);
  }
  return {};
}

std::string findPlaceFault(const NestPlan &plan, const Segment &segment) {
  const auto endOf = [&](const Segment &of) {
    return saturatingAdd(of.offsetElems, saturatingMul(of.allocatedElems, bufferCount(plan, of)));
  };
  const uint64_t end = endOf(segment);
  if (plan.stages > 1 && segment.allocatedElems * elementBytes(plan.type) % kCopyAlignBytes != 0)
    return fmt::format("segment {}: buffers of {} elements are not aligned to {} bytes",
                       segment.operand, segment.allocatedElems, kCopyAlignBytes);
  if (saturatingMul(end, elementBytes(plan.type)) > plan.launch.sharedBytes)
    return fmt::format("segment {} ends at element {} of {} bytes of shared memory",
                       segment.operand, end, plan.launch.sharedBytes);
  for (uint32_t i = 0; i < segment.operand; ++i) {
    const Segment &other = plan.segments[i];
    if (other.placement == Placement::Shared && other.offsetElems < end &&
        segment.offsetElems < endOf(other))
      return fmt::format("segments {} and {} overlap", i, segment.operand);
  }
  return {};
}
} // namespace

std::string detail::findSegmentFault(const NestPlan &plan, const Segment &segment,
                                     const Target &target) {
  std::string fault = findScopeFault(plan, segment);
  if (fault.empty() && segment.placement == Placement::Shared) {
    fault = findLayoutFault(plan, segment);
    if (fault.empty())
      fault = findFetchFault(plan, segment);
    if (fault.empty())
      fault = findPlaceFault(plan, segment);
    if (fault.empty() && segment.conflictFree && !isConflictFree(plan, segment, target))
      fault = fmt::format("segment {} promises no bank conflicts, but has some", segment.operand);
  } else if (fault.empty() && segment.conflictFree) {
    fault = fmt::format("segment {} promises no bank conflicts, but is not in shared memory",
                        segment.operand);
  }
  if (fault.empty() && segment.placement == Placement::Registers)
    for (uint32_t a : segment.tagAxes)
      if (plan.axes[a].role == AxisRole::Sum && plan.axes[a].unroll != plan.axes[a].extent)
        return fmt::format("segment {} is in registers, but axis {} is not unrolled as a whole",
                           segment.operand, plan.axes[a].name);
  if (fault.empty() &&
      (segment.fragmentVector == 0 || !fragmentAllowed(plan, segment, segment.fragmentVector)))
    fault = fmt::format("segment {}: fragments of {} elements are not contiguous, aligned and "
                        "all inside or outside",
                        segment.operand, segment.fragmentVector);
  return fault;
}

} // namespace mpf
