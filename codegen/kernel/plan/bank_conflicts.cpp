#include "codegen/kernel/plan/bank_conflicts.h"

#include "codegen/kernel/plan/kernel_shape.h"
#include "codegen/kernel/plan/warp_lanes.h"
#include "dsl/support/check.h"

#include <algorithm>

namespace mpf {

namespace {
/// Counts what lanes want of the banks; keeps its memory, since searches ask very often.
class BankCount {
public:
  BankCount(const std::vector<uint64_t> &offsets, uint32_t words, uint32_t elementBytes,
            const Target &target)
      : offsets_(offsets), words_(words), elementBytes_(elementBytes), bankBytes_(target.bankBytes),
        perBank_(target.sharedBanks) {}

  /// Most different words that lanes [first, last) want of one bank.
  uint32_t worst(size_t first, size_t last) {
    touched_.clear();
    for (size_t lane = first; lane < last; ++lane)
      for (uint32_t w = 0; w < words_; ++w)
        touched_.push_back(offsets_[lane] * elementBytes_ / bankBytes_ + w);
    std::sort(touched_.begin(), touched_.end());
    touched_.erase(std::unique(touched_.begin(), touched_.end()), touched_.end());
    std::fill(perBank_.begin(), perBank_.end(), 0);
    for (uint64_t word : touched_)
      ++perBank_[word % perBank_.size()];
    return *std::max_element(perBank_.begin(), perBank_.end());
  }

private:
  const std::vector<uint64_t> &offsets_;
  uint32_t words_, elementBytes_, bankBytes_;
  std::vector<uint64_t> touched_;
  std::vector<uint32_t> perBank_;
};

uint32_t wordsOf(uint32_t width, uint32_t elementBytes, const Target &target) {
  return std::max(1u, width * elementBytes / target.bankBytes);
}
} // namespace

RequestCost requestCost(const std::vector<uint64_t> &offsets, uint32_t width, uint32_t elementBytes,
                        const Target &target) {
  MPF_CHECK(target.bankBytes > 0 && target.sharedBanks > 0, "{} has {} banks of {} bytes",
            target.name, target.sharedBanks, target.bankBytes);
  RequestCost cost;
  const uint32_t words = wordsOf(width, elementBytes, target);
  const auto lanesPerPhase = std::max<size_t>(1, target.warpThreads / words);
  BankCount banks(offsets, words, elementBytes, target);
  for (size_t first = 0; first < offsets.size(); first += lanesPerPhase) {
    cost.wavefronts += banks.worst(first, std::min(first + lanesPerPhase, offsets.size()));
    ++cost.phases;
  }
  return cost;
}

uint32_t mergedWavefronts(const std::vector<uint64_t> &offsets, uint32_t width,
                          uint32_t elementBytes, const Target &target, bool stridesFinal) {
  MPF_CHECK(target.bankBytes > 0 && target.sharedBanks > 0, "{} has {} banks of {} bytes",
            target.name, target.sharedBanks, target.bankBytes);
  const uint32_t words = wordsOf(width, elementBytes, target);
  const auto lanesPerPhase = std::max<size_t>(1, target.warpThreads / words);
  BankCount banks(offsets, words, elementBytes, target);
  uint32_t wavefronts = 0;
  for (size_t first = 0; first < offsets.size(); first += 2 * lanesPerPhase) {
    const size_t last = std::min(first + 2 * lanesPerPhase, offsets.size());
    const bool two = words > 1 && last - first > lanesPerPhase;
    const auto agrees = [&](size_t bit) {
      for (size_t lane = first; lane < last; ++lane)
        if ((lane ^ bit) < last && offsets[lane] != offsets[lane ^ bit])
          return false;
      return true;
    };
    const bool merges =
        two && (agrees(1) || agrees(2)) && (!stridesFinal || banks.worst(first, last) == 1);
    wavefronts += two && !merges ? 2 : 1;
  }
  return wavefronts;
}

RequestCost fragmentConflicts(const NestPlan &plan, const Segment &segment, const Target &target) {
  RequestCost total;
  const uint32_t bytes = elementBytes(plan.type);
  for (uint32_t warp = 0; warp * target.warpThreads < plan.launch.blockThreads; ++warp) {
    const auto offsets = laneOffsets(plan, warp, target.warpThreads, [&](uint32_t axis) {
      return fragmentStride(plan, segment, axis);
    });
    const RequestCost cost = requestCost(offsets, segment.fragmentVector, bytes, target);
    total.wavefronts += cost.wavefronts;
    total.phases += cost.phases;
  }
  return total;
}

uint64_t fetchCount(const Segment &segment) {
  uint64_t count = 1;
  for (const FetchPart &part : segment.fetchParts)
    count *= part.extent;
  return count;
}

FetchPlace fetchPlace(const NestPlan &plan, const Segment &segment, uint64_t number) {
  FetchPlace place;
  for (size_t i = segment.fetchParts.size(); i-- > 0;) {
    const FetchPart &part = segment.fetchParts[i];
    MPF_CHECK(part.extent > 0, "part {} of the fetch of segment {} has no values", i,
              segment.operand);
    const uint64_t index = number % part.extent * part.step;
    number /= part.extent;
    place.sharedElems += index * fragmentStride(plan, segment, part.axis);
    place.globalElems += index * globalStride(plan, segment.operand, part.axis);
  }
  return place;
}

uint64_t fetchElementStride(const NestPlan &plan, const Segment &segment) {
  for (uint32_t axis : segment.tagAxes)
    if (plan.axes[axis].extent > 1 && globalStride(plan, segment.operand, axis) == 1)
      return fragmentStride(plan, segment, axis);
  return 0;
}

namespace {
RequestCost countStaging(const NestPlan &plan, const Segment &segment, const Target &target,
                         bool stopAtConflict) {
  RequestCost total;
  const uint32_t bytes = elementBytes(plan.type);
  const uint64_t count = fetchCount(segment);
  const uint32_t threads = plan.launch.blockThreads;
  const bool asVector = fetchElementStride(plan, segment) == 1;
  const uint32_t width = asVector ? segment.fetchVector : 1;
  MPF_CHECK(threads > 0 && target.warpThreads > 0, "{} threads stage segment {} in warps of {}",
            threads, segment.operand, target.warpThreads);
  std::vector<uint64_t> offsets;
  for (uint64_t round = 0; round < count; round += threads)
    for (uint32_t warp = 0; warp < threads; warp += target.warpThreads) {
      offsets.clear();
      for (uint32_t t = warp; t < std::min(warp + target.warpThreads, threads); ++t)
        if (round + t < count)
          offsets.push_back(fetchPlace(plan, segment, round + t).sharedElems);
      // The elements of scalar stores shift all lanes alike: one of them stands for all.
      if (offsets.empty())
        continue;
      const RequestCost cost = requestCost(offsets, width, bytes, target);
      total.wavefronts += cost.wavefronts;
      total.phases += cost.phases;
      if (stopAtConflict && cost.wavefronts != cost.phases)
        return total;
    }
  return total;
}
} // namespace

RequestCost stagingConflicts(const NestPlan &plan, const Segment &segment, const Target &target) {
  return countStaging(plan, segment, target, false);
}

bool stagingIsFree(const NestPlan &plan, const Segment &segment, const Target &target) {
  const RequestCost cost = countStaging(plan, segment, target, true);
  return cost.wavefronts == cost.phases;
}

bool isConflictFree(const NestPlan &plan, const Segment &segment, const Target &target) {
  const RequestCost fragments = fragmentConflicts(plan, segment, target);
  if (fragments.wavefronts != fragments.phases)
    return false;
  return stagingIsFree(plan, segment, target);
}

} // namespace mpf
