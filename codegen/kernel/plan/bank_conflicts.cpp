#include "codegen/kernel/plan/bank_conflicts.h"

#include "codegen/kernel/plan/kernel_shape.h"
#include "codegen/kernel/plan/warp_lanes.h"
#include "dsl/support/check.h"

#include <algorithm>
#include <array>
#include <bit>

namespace mpf {

namespace {
/// Counts the words that lanes need of each bank. Searches call it very often, mostly for requests
/// without conflicts, which allocate no memory.
class BankCount {
public:
  BankCount(const std::vector<uint64_t> &offsets, uint32_t words, uint32_t elementBytes,
            const Target &target)
      : offsets_(offsets), words_(words), elementBytes_(elementBytes), banks_(target.sharedBanks),
        bankShift_(std::countr_zero(target.bankBytes)) {
    MPF_CHECK(banks_ <= wanted_.size() && std::has_single_bit(banks_) &&
                  std::has_single_bit(target.bankBytes),
              "{} has {} banks of {} bytes", target.name, banks_, target.bankBytes);
  }

  /// Returns the greatest number of different words that lanes [first, last) need of one bank.
  uint32_t worst(size_t first, size_t last) {
    return isFree(first, last) ? 1 : counted(first, last);
  }

  /// Whether that number is one.
  bool isFree(size_t first, size_t last) {
    std::fill_n(wanted_.begin(), banks_, kNoWord);
    for (size_t lane = first; lane < last; ++lane) {
      const uint64_t word = offsets_[lane] * elementBytes_ >> bankShift_;
      for (uint64_t w = word; w < word + words_; ++w) {
        uint64_t &wanted = wanted_[w & (banks_ - 1)];
        if (wanted != kNoWord && wanted != w)
          return false;
        wanted = w;
      }
    }
    return true;
  }

private:
  static constexpr uint64_t kNoWord = UINT64_MAX;

  uint32_t counted(size_t first, size_t last) const {
    std::vector<uint64_t> touched;
    for (size_t lane = first; lane < last; ++lane)
      for (uint32_t w = 0; w < words_; ++w)
        touched.push_back((offsets_[lane] * elementBytes_ >> bankShift_) + w);
    std::sort(touched.begin(), touched.end());
    touched.erase(std::unique(touched.begin(), touched.end()), touched.end());
    std::vector<uint32_t> perBank(banks_, 0);
    for (const uint64_t word : touched)
      ++perBank[word % banks_];
    return *std::max_element(perBank.begin(), perBank.end());
  }

  const std::vector<uint64_t> &offsets_;
  uint32_t words_, elementBytes_, banks_;
  int bankShift_;                   ///< log2 of the bytes of a word
  std::array<uint64_t, 64> wanted_; ///< by bank: the word
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

bool requestIsFree(const std::vector<uint64_t> &offsets, uint32_t width, uint32_t elementBytes,
                   const Target &target) {
  const uint32_t words = wordsOf(width, elementBytes, target);
  const auto lanesPerPhase = std::max<size_t>(1, target.warpThreads / words);
  BankCount banks(offsets, words, elementBytes, target);
  for (size_t first = 0; first < offsets.size(); first += lanesPerPhase)
    if (!banks.isFree(first, std::min(first + lanesPerPhase, offsets.size())))
      return false;
  return true;
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

FragmentLanes::FragmentLanes(const NestPlan &plan, const Target &target)
    : plan_(plan), target_(target), axes_(axesOfRole(plan, AxisRole::Thread)) {
  for (uint32_t warp = 0; warp * target.warpThreads < plan.launch.blockThreads; ++warp)
    for (uint32_t axis = axes_.begin; axis < axes_.end; ++axis)
      indices_.push_back(laneOffsets(plan, warp, target.warpThreads,
                                     [axis](uint32_t other) { return uint64_t{other == axis}; }));
}

bool FragmentLanes::areFree(const Segment &segment) {
  const size_t axes = axes_.end - axes_.begin;
  for (size_t at = 0; at < indices_.size(); at += axes) {
    offsets_.assign(indices_[at].size(), 0);
    for (size_t a = 0; a < axes; ++a)
      if (const uint64_t stride =
              fragmentStride(plan_, segment, axes_.begin + static_cast<uint32_t>(a)))
        for (size_t lane = 0; lane < offsets_.size(); ++lane)
          offsets_[lane] += indices_[at + a][lane] * stride;
    if (!requestIsFree(offsets_, segment.fragmentVector, elementBytes(plan_.type), target_))
      return false;
  }
  return true;
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
/// Calls `visit` with the offsets of each request and its width, as long as that returns true.
template <class Visit>
void eachStagingRequest(const NestPlan &plan, const Segment &segment, const Target &target,
                        Visit visit) {
  const uint64_t count = fetchCount(segment);
  const uint32_t threads = plan.launch.blockThreads;
  const bool asVector = fetchElementStride(plan, segment) == 1;
  const uint32_t width = asVector ? segment.fetchVector : 1;
  MPF_CHECK(threads > 0 && target.warpThreads > 0, "{} threads stage segment {} in warps of {}",
            threads, segment.operand, target.warpThreads);
  std::vector<uint64_t> strides; // in the segment, from one value of a part to the next
  for (const FetchPart &part : segment.fetchParts)
    strides.push_back(part.step * fragmentStride(plan, segment, part.axis));
  // The vectors of a page are dealt one after another, the last part fastest.
  std::vector<uint64_t> values(strides.size(), 0);
  uint64_t place = 0;
  const auto step = [&] {
    for (size_t i = strides.size(); i-- > 0;) {
      place += strides[i];
      if (++values[i] < segment.fetchParts[i].extent)
        return;
      place -= strides[i] * segment.fetchParts[i].extent;
      values[i] = 0;
    }
  };
  std::vector<uint64_t> offsets;
  for (uint64_t number = 0; number < count;) {
    const uint64_t thread = number % threads;
    offsets.clear();
    for (uint64_t t = thread; t < std::min<uint64_t>(thread + target.warpThreads, threads); ++t)
      if (number < count) {
        offsets.push_back(place);
        step();
        ++number;
      }
    // The elements of scalar stores shift all lanes alike, so one of them is enough.
    if (!visit(offsets, width))
      return;
  }
}
} // namespace

RequestCost stagingConflicts(const NestPlan &plan, const Segment &segment, const Target &target) {
  RequestCost total;
  eachStagingRequest(plan, segment, target, [&](const auto &offsets, uint32_t width) {
    const RequestCost cost = requestCost(offsets, width, elementBytes(plan.type), target);
    total.wavefronts += cost.wavefronts;
    total.phases += cost.phases;
    return true;
  });
  return total;
}

bool stagingIsFree(const NestPlan &plan, const Segment &segment, const Target &target) {
  bool isFree = true;
  eachStagingRequest(plan, segment, target, [&](const auto &offsets, uint32_t width) {
    return isFree = requestIsFree(offsets, width, elementBytes(plan.type), target);
  });
  return isFree;
}

bool isConflictFree(const NestPlan &plan, const Segment &segment, const Target &target) {
  const RequestCost fragments = fragmentConflicts(plan, segment, target);
  return fragments.wavefronts == fragments.phases && stagingIsFree(plan, segment, target);
}

} // namespace mpf
