#include "codegen/kernel/build/conflict_free_strides.h"

#include "codegen/kernel/build/segment_layout.h"
#include "codegen/kernel/cost/cost_instructions.h"
#include "codegen/kernel/plan/bank_conflicts.h"
#include "codegen/kernel/plan/kernel_shape.h"
#include "dsl/support/check.h"

#include <algorithm>
#include <utility>

namespace mpf {

namespace {
constexpr size_t kMaxPaddingTrials = 600;

/// One way to fetch a page, with any paddings.
struct FetchChoice {
  SegmentLayout base;
  uint32_t width = 1;      ///< elements per global load
  uint64_t lowVectors = 1; ///< neighbouring vectors of the contiguous axis
  double wavefronts = 0;
};

/// Returns digit orders that keep the widest fragment vector, with load widths and run lengths; the
/// least traffic first. Short runs of scattered rows make conflict-free stores easy and global
/// loads costly.
std::vector<FetchChoice> fetchChoices(NestPlan &plan, Segment &segment, const Target &target) {
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
  MPF_CHECK(!choices.empty(), "no way to fetch segment {}", segment.operand);
  std::stable_sort(choices.begin(), choices.end(), [](const FetchChoice &a, const FetchChoice &b) {
    return a.wavefronts < b.wavefronts;
  });
  return choices;
}

/// Returns paddings of all digits, one list for each layout, in order of allocated elements.
std::vector<std::vector<uint64_t>> sortedPaddings(const NestPlan &plan, const Segment &segment,
                                                  const SegmentLayout &base, const Target &target) {
  const uint64_t bankElems =
      std::max<uint64_t>(1, target.sharedBanks * target.bankBytes / elementBytes(plan.type));
  const uint64_t grain = segment.fragmentVector;
  MPF_CHECK(grain > 0, "segment {} has fragments of no entry", segment.operand);
  std::vector<std::vector<uint64_t>> paddings = {base.paddingsElems}; // from a small set per digit
  for (size_t i = 0; i + 1 < base.digits.size(); ++i) {
    const size_t count = paddings.size();
    for (uint64_t padding = grain; padding < bankElems; padding += grain)
      for (size_t k = 0; k < count && paddings.size() < kMaxPaddingTrials; ++k) {
        paddings.push_back(paddings[k]);
        paddings.back()[i] = padding;
      }
  }
  std::vector<uint64_t> extents;
  for (const DigitId digit : base.digits)
    extents.push_back(tagExtent(plan, segment, digit));
  std::vector<std::pair<uint64_t, size_t>> byAllocated; // equal ones as they were made
  for (size_t k = 0; k < paddings.size(); ++k) {
    uint64_t stride = 1, last = 0;
    for (size_t i = 0; i < extents.size(); ++i) {
      last += (extents[i] - 1) * stride;
      stride = stride * extents[i] + paddings[k][i];
    }
    byAllocated.emplace_back(last, k);
  }
  std::sort(byAllocated.begin(), byAllocated.end());
  std::vector<std::vector<uint64_t>> sorted;
  sorted.reserve(paddings.size());
  for (const auto &[allocated, k] : byAllocated)
    sorted.push_back(std::move(paddings[k]));
  return sorted;
}

/// Enumerates the paddings of a layout with which fragment loads do not conflict, smallest first;
/// at() returns the padded segment. Most paddings do conflict, so conflicts are tested first, and
/// only for as many paddings as callers request.
class FreeLayouts {
public:
  FreeLayouts(NestPlan &plan, const Segment &segment, const SegmentLayout &base,
              const Target &target)
      : plan_(plan), segment_(segment), lanes_(plan, target), layout_(base),
        paddings_(startFrom(target)) {}

  /// Returns the segment with padding `number`; null if there are no more.
  const Segment *at(size_t number) {
    while (free_.size() <= number && next_ < paddings_.size()) {
      layout_.paddingsElems = std::move(paddings_[next_++]);
      judge(layout_);
    }
    return number < free_.size() ? &free_[number] : nullptr;
  }

private:
  std::vector<std::vector<uint64_t>> startFrom(const Target &target) {
    applyLayout(plan_, segment_, layout_);
    fragmentVector_ = segment_.fragmentVector;
    return sortedPaddings(plan_, segment_, layout_, target);
  }

  void judge(const SegmentLayout &layout) {
    placeDigits(plan_, segment_, layout);
    segment_.fragmentVector = fragmentVector_;
    if (!lanes_.areFree(segment_))
      return;
    applyLayout(plan_, segment_, layout);
    if (segment_.fragmentVector == fragmentVector_)
      free_.push_back(segment_);
  }

  NestPlan &plan_;
  Segment segment_;
  FragmentLanes lanes_;
  uint32_t fragmentVector_ = 1; ///< without a padding
  SegmentLayout layout_;        ///< with the paddings that are being judged
  std::vector<std::vector<uint64_t>> paddings_;
  size_t next_ = 0; ///< into paddings_
  std::vector<Segment> free_;
};

bool padSegment(NestPlan &plan, Segment &segment, const Target &target) {
  std::vector<std::pair<std::vector<DigitId>, FreeLayouts>> freeOf;
  for (const FetchChoice &choice : fetchChoices(plan, segment, target)) {
    auto known = std::find_if(freeOf.begin(), freeOf.end(),
                              [&](const auto &entry) { return entry.first == choice.base.digits; });
    if (known == freeOf.end()) {
      freeOf.emplace_back(choice.base.digits, FreeLayouts(plan, segment, choice.base, target));
      known = freeOf.end() - 1;
    }
    std::vector<FetchPart> parts; // the same for all paddings
    for (size_t i = 0; const Segment *padded = known->second.at(i); ++i) {
      if (padded->fetchVector < choice.width)
        continue;
      segment = *padded;
      segment.fetchVector = choice.width;
      if (parts.empty()) {
        dealFetch(plan, segment, choice.lowVectors);
        parts = segment.fetchParts;
      }
      segment.fetchParts = parts;
      if (stagingIsFree(plan, segment, target))
        return true;
    }
  }
  // Conflicts in staging cost less than in the inner loop.
  const SegmentLayout base = fragmentLayout(plan, segment);
  FreeLayouts free(plan, segment, base, target);
  if (const Segment *first = free.at(0))
    segment = *first;
  else
    applyLayout(plan, segment, base);
  return false;
}
} // namespace

void padSegments(NestPlan &plan, const Target &target) {
  for (Segment &segment : plan.segments)
    if (segment.placement == Placement::Shared)
      segment.conflictFree = padSegment(plan, segment, target);
  placeSegments(plan);
}

} // namespace mpf
