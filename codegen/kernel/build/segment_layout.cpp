#include "codegen/kernel/build/segment_layout.h"

#include "codegen/kernel/plan/bank_conflicts.h"
#include "codegen/kernel/plan/kernel_shape.h"
#include "codegen/kernel/plan/vector_width.h"
#include "dsl/support/check.h"

#include <algorithm>

namespace mpf {

namespace {
constexpr uint64_t kSegmentAlignBytes = 16;

std::vector<DigitId> tagDigits(const NestPlan &plan, const Segment &segment) {
  std::vector<DigitId> digits;
  for (uint32_t axis : segment.tagAxes)
    if (std::find(digits.begin(), digits.end(), plan.axes[axis].digit) == digits.end())
      digits.push_back(plan.axes[axis].digit);
  std::sort(digits.begin(), digits.end());
  return digits;
}

/// Smallest step of the digit's axes is 1 and belongs to a register axis of this extent, else 1.
uint64_t registerRun(const NestPlan &plan, const Segment &segment, DigitId digit) {
  for (uint32_t axis : segment.tagAxes)
    if (plan.axes[axis].digit == digit && plan.axes[axis].role == AxisRole::Register &&
        plan.axes[axis].step == 1)
      return plan.axes[axis].extent;
  return 1;
}
} // namespace

uint64_t tagExtent(const NestPlan &plan, const Segment &segment, DigitId digit) {
  uint64_t extent = 1;
  for (uint32_t axis : segment.tagAxes)
    if (plan.axes[axis].digit == digit)
      extent *= plan.axes[axis].extent;
  return extent;
}

void placeDigits(const NestPlan &plan, Segment &segment, const SegmentLayout &layout) {
  MPF_CHECK(layout.paddingsElems.size() == layout.digits.size(), "{} paddings for {} digits",
            layout.paddingsElems.size(), layout.digits.size());
  segment.stridesElems.assign(segment.tagAxes.size(), 0);
  uint64_t stride = 1, last = 0;
  for (size_t i = 0; i < layout.digits.size(); ++i) {
    for (size_t a = 0; a < segment.tagAxes.size(); ++a)
      if (plan.axes[segment.tagAxes[a]].digit == layout.digits[i])
        segment.stridesElems[a] = stride * plan.axes[segment.tagAxes[a]].step;
    const uint64_t extent = tagExtent(plan, segment, layout.digits[i]);
    last += (extent - 1) * stride;
    stride = stride * extent + layout.paddingsElems[i];
  }
  for (size_t a = 0; a < segment.tagAxes.size(); ++a)
    MPF_CHECK(segment.stridesElems[a] > 0, "axis {} of segment {} is in none of {} digits",
              plan.axes[segment.tagAxes[a]].name, segment.operand, layout.digits.size());
  segment.allocatedElems = last + 1;
}

void applyLayout(NestPlan &plan, Segment &segment, const SegmentLayout &layout) {
  placeDigits(plan, segment, layout);
  segment.fragmentVector = widestFragment(plan, segment);
  segment.fetchVector = widestFetch(plan, segment);
  dealFetch(plan, segment, 0);
}

SegmentLayout fragmentLayout(const NestPlan &plan, const Segment &segment) {
  SegmentLayout layout;
  layout.digits = tagDigits(plan, segment);
  layout.paddingsElems.assign(layout.digits.size(), 0);
  const uint64_t vector = 16 / elementBytes(plan.type);
  // Position of the digit's fastest thread axis from the lanes' end: larger is faster.
  const auto laneRank = [&](DigitId digit) {
    uint32_t rank = 0;
    for (uint32_t axis : segment.tagAxes)
      if (plan.axes[axis].digit == digit && plan.axes[axis].role == AxisRole::Thread)
        rank = axis;
    return rank;
  };
  const auto runOf = [&](DigitId digit) {
    const uint64_t run = registerRun(plan, segment, digit);
    return run % vector == 0 ? vector : run % 2 == 0 ? uint64_t{2} : uint64_t{1};
  };
  std::stable_sort(layout.digits.begin(), layout.digits.end(), [&](DigitId a, DigitId b) {
    const bool aReduced = plan.form.digits[a.index()].reduced;
    const bool bReduced = plan.form.digits[b.index()].reduced;
    if (aReduced != bReduced)
      return bReduced;
    if (runOf(a) != runOf(b))
      return runOf(a) > runOf(b);
    return laneRank(a) > laneRank(b);
  });
  return layout;
}

SegmentLayout globalLayout(const NestPlan &plan, const Segment &segment) {
  SegmentLayout layout;
  layout.digits = tagDigits(plan, segment);
  layout.paddingsElems.assign(layout.digits.size(), 0);
  const auto &strides = plan.form.operands[segment.operand].stridesElems;
  std::stable_sort(layout.digits.begin(), layout.digits.end(),
                   [&](DigitId a, DigitId b) { return strides[a.index()] < strides[b.index()]; });
  return layout;
}

void dealFetch(NestPlan &plan, Segment &segment, uint64_t lowVectors) {
  std::vector<uint32_t> axes = segment.tagAxes;
  std::stable_sort(axes.begin(), axes.end(), [&](uint32_t a, uint32_t b) {
    return globalStride(plan, segment.operand, a) > globalStride(plan, segment.operand, b);
  });
  segment.fetchParts.clear();
  for (uint32_t axis : axes) {
    const uint64_t extent = plan.axes[axis].extent;
    if (globalStride(plan, segment.operand, axis) != 1 || axis != axes.back()) {
      segment.fetchParts.push_back({axis, extent, 1});
      continue;
    }
    const uint64_t vectors = extent / segment.fetchVector;
    const uint64_t low = lowVectors == 0 ? vectors : lowVectors;
    MPF_CHECK(low > 0 && vectors % low == 0 && extent % segment.fetchVector == 0,
              "axis {} of {} values in vectors of {}, {} of them neighbours", plan.axes[axis].name,
              extent, segment.fetchVector, low);
    if (vectors > low) // the far part of the contiguous axis varies slowest of all
      segment.fetchParts.insert(segment.fetchParts.begin(),
                                {axis, vectors / low, low * segment.fetchVector});
    if (low > 1)
      segment.fetchParts.push_back({axis, low, segment.fetchVector});
  }
  MPF_CHECK(fetchCount(segment) * segment.fetchVector == segment.sizeElems,
            "{} fetches of {} entries for the {} of segment {}", fetchCount(segment),
            segment.fetchVector, segment.sizeElems, segment.operand);
}

void placeSegments(NestPlan &plan) {
  const uint64_t align = kSegmentAlignBytes / elementBytes(plan.type);
  uint64_t offset = 0;
  for (Segment &segment : plan.segments) {
    if (segment.placement != Placement::Shared)
      continue;
    segment.offsetElems = offset;
    if (plan.stages > 1) // every buffer starts aligned
      segment.allocatedElems = (segment.allocatedElems + align - 1) / align * align;
    offset += segment.allocatedElems * bufferCount(plan, segment);
    offset = (offset + align - 1) / align * align;
  }
  plan.launch.sharedBytes =
      static_cast<uint32_t>(std::min<uint64_t>(offset * elementBytes(plan.type), UINT32_MAX));
}

} // namespace mpf
