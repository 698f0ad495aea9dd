#include "codegen/kernel/build/conflict_free_strides.h"

#include "codegen/kernel/build/assemble_plan.h"
#include "codegen/kernel/cost/cost_instructions.h"
#include "codegen/kernel/plan/bank_conflicts.h"
#include "codegen/kernel/plan/kernel_shape.h"
#include "codegen/kernel/plan/vector_width.h"

#include <algorithm>

namespace mpf {

namespace {
constexpr size_t kMaxPaddingTrials = 600;

/// Values of `digit` inside the tag: product of the extents of its tag axes.
uint64_t tagExtent(const KernelPlan &plan, const Segment &segment, DigitId digit) {
  uint64_t extent = 1;
  for (uint32_t axis : segment.tagAxes)
    if (plan.axes[axis].digit == digit)
      extent *= plan.axes[axis].extent;
  return extent;
}

std::vector<DigitId> tagDigits(const KernelPlan &plan, const Segment &segment) {
  std::vector<DigitId> digits;
  for (uint32_t axis : segment.tagAxes)
    if (std::find(digits.begin(), digits.end(), plan.axes[axis].digit) == digits.end())
      digits.push_back(plan.axes[axis].digit);
  std::sort(digits.begin(), digits.end());
  return digits;
}

/// Smallest step of the digit's axes is 1 and belongs to a register axis of this extent, else 1.
uint64_t registerRun(const KernelPlan &plan, const Segment &segment, DigitId digit) {
  for (uint32_t axis : segment.tagAxes)
    if (plan.axes[axis].digit == digit && plan.axes[axis].role == AxisRole::Register &&
        plan.axes[axis].step == 1)
      return plan.axes[axis].extent;
  return 1;
}
} // namespace

void applyLayout(KernelPlan &plan, Segment &segment, const SegmentLayout &layout) {
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
  segment.allocatedElems = last + 1;
  segment.fragmentVector = widestFragment(plan, segment);
  segment.fetchVector = widestFetch(plan, segment);
  dealFetch(plan, segment, 0);
}

SegmentLayout fragmentLayout(const KernelPlan &plan, const Segment &segment) {
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

SegmentLayout globalLayout(const KernelPlan &plan, const Segment &segment) {
  SegmentLayout layout;
  layout.digits = tagDigits(plan, segment);
  layout.paddingsElems.assign(layout.digits.size(), 0);
  const auto &strides = plan.form.operands[segment.operand].stridesElems;
  std::stable_sort(layout.digits.begin(), layout.digits.end(),
                   [&](DigitId a, DigitId b) { return strides[a.index()] < strides[b.index()]; });
  return layout;
}

void dealFetch(KernelPlan &plan, Segment &segment, uint64_t lowVectors) {
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
    if (vectors > low) // the far part of the contiguous axis varies slowest of all
      segment.fetchParts.insert(segment.fetchParts.begin(),
                                {axis, vectors / low, low * segment.fetchVector});
    if (low > 1)
      segment.fetchParts.push_back({axis, low, segment.fetchVector});
  }
}

namespace {
/// One way to bring a page in, whatever the paddings are.
struct FetchChoice {
  SegmentLayout base;
  uint32_t width = 1;      ///< elements per global load
  uint64_t lowVectors = 1; ///< neighbouring vectors of the contiguous axis
  double wavefronts = 0;
};

void applyFetch(KernelPlan &plan, Segment &segment, const FetchChoice &choice) {
  segment.fetchVector = std::min(segment.fetchVector, choice.width);
  dealFetch(plan, segment, choice.lowVectors);
}

/// Digit orders that keep the widest fragment vector, load widths and run lengths; least traffic
/// first. Short runs of scattered rows make conflict-free stores easy and global loads dear.
std::vector<FetchChoice> fetchChoices(KernelPlan &plan, Segment &segment, const Target &target) {
  std::vector<FetchChoice> choices;
  const SegmentLayout preferred = fragmentLayout(plan, segment);
  applyLayout(plan, segment, preferred);
  const uint32_t fragmentVector = segment.fragmentVector;
  std::vector<SegmentLayout> bases = {preferred};
  if (SegmentLayout global = globalLayout(plan, segment); global.digits != preferred.digits)
    bases.push_back(std::move(global));
  for (const SegmentLayout &base : bases) {
    applyLayout(plan, segment, base);
    if (segment.fragmentVector != fragmentVector)
      continue;
    for (uint32_t width = segment.fetchVector; width >= 1; width /= 2) {
      uint64_t vectors = 1;
      for (uint32_t axis : segment.tagAxes)
        if (globalStride(plan, segment.operand, axis) == 1)
          vectors = std::max(vectors, plan.axes[axis].extent / width);
      for (uint64_t low = vectors; low >= 1; --low) {
        if (vectors % low != 0)
          continue;
        segment.fetchVector = width;
        dealFetch(plan, segment, low);
        choices.push_back({base, width, low, stagingWavefronts(plan, segment, target)});
      }
    }
  }
  std::stable_sort(choices.begin(), choices.end(), [](const FetchChoice &a, const FetchChoice &b) {
    return a.wavefronts < b.wavefronts;
  });
  return choices;
}

/// All paddings from a small set per digit, in order of allocated elements.
std::vector<SegmentLayout> paddedLayouts(const KernelPlan &plan, const Segment &segment,
                                         const SegmentLayout &base, const Target &target) {
  const uint64_t bankElems =
      std::max<uint64_t>(1, target.sharedBanks * target.bankBytes / elementBytes(plan.type));
  const uint64_t grain = segment.fragmentVector;
  std::vector<SegmentLayout> layouts = {base};
  for (size_t i = 0; i + 1 < base.digits.size(); ++i) {
    const size_t count = layouts.size();
    for (uint64_t padding = grain; padding < bankElems; padding += grain)
      for (size_t k = 0; k < count && layouts.size() < kMaxPaddingTrials; ++k) {
        layouts.push_back(layouts[k]);
        layouts.back().paddingsElems[i] = padding;
      }
  }
  const auto allocated = [&](const SegmentLayout &layout) {
    uint64_t stride = 1, last = 0;
    for (size_t i = 0; i < layout.digits.size(); ++i) {
      const uint64_t extent = tagExtent(plan, segment, layout.digits[i]);
      last += (extent - 1) * stride;
      stride = stride * extent + layout.paddingsElems[i];
    }
    return last;
  };
  std::stable_sort(
      layouts.begin(), layouts.end(),
      [&](const SegmentLayout &a, const SegmentLayout &b) { return allocated(a) < allocated(b); });
  return layouts;
}

/// The paddings of `base` with which fragment loads do not conflict, smallest first.
std::vector<SegmentLayout> freeLayouts(KernelPlan &plan, Segment &segment,
                                       const SegmentLayout &base, const Target &target) {
  applyLayout(plan, segment, base);
  const uint32_t fragmentVector = segment.fragmentVector;
  std::vector<SegmentLayout> free;
  for (const SegmentLayout &layout : paddedLayouts(plan, segment, base, target)) {
    applyLayout(plan, segment, layout);
    const RequestCost cost = fragmentConflicts(plan, segment, target);
    if (segment.fragmentVector == fragmentVector && cost.wavefronts == cost.phases)
      free.push_back(layout);
  }
  return free;
}

bool padSegment(KernelPlan &plan, Segment &segment, const Target &target) {
  std::vector<std::pair<std::vector<DigitId>, std::vector<SegmentLayout>>> freeOf;
  for (const FetchChoice &choice : fetchChoices(plan, segment, target)) {
    auto known = std::find_if(freeOf.begin(), freeOf.end(),
                              [&](const auto &entry) { return entry.first == choice.base.digits; });
    if (known == freeOf.end()) {
      freeOf.push_back({choice.base.digits, freeLayouts(plan, segment, choice.base, target)});
      known = freeOf.end() - 1;
    }
    for (const SegmentLayout &layout : known->second) {
      applyLayout(plan, segment, layout);
      applyFetch(plan, segment, choice);
      if (segment.fetchVector == choice.width && stagingIsFree(plan, segment, target))
        return true;
    }
  }
  // Conflicts in staging cost less than in the inner loop.
  const SegmentLayout base = fragmentLayout(plan, segment);
  const auto free = freeLayouts(plan, segment, base, target);
  applyLayout(plan, segment, free.empty() ? base : free.front());
  return false;
}
} // namespace

void padSegments(KernelPlan &plan, const Target &target) {
  for (Segment &segment : plan.segments)
    if (segment.placement == Placement::Shared)
      segment.conflictFree = padSegment(plan, segment, target);
  placeSegments(plan);
}

} // namespace mpf
