#include "codegen/plan/slicing/slice_loop_order.h"

#include "codegen/plan/program/slice_levels.h"
#include "dsl/support/bits.h"
#include "dsl/support/check.h"

#include <algorithm>
#include <bit>
#include <cmath>
#include <limits>
#include <utility>

namespace mpf {

namespace {

constexpr double kNothing = -std::numeric_limits<double>::infinity();

/// Buckets that depend on the same loops, or the remainder of ended loops.
struct Group {
  uint64_t loops = 0;
  double work = 0; ///< bucket addresses, in units of the largest bucket
};

std::vector<Group> groupsOf(const SliceEstimate &estimate, double log2Unit, double log2Least) {
  std::vector<Group> groups;
  for (const BucketEstimate &bucket : estimate.buckets)
    groups.push_back(
        {bucket.dependsOn, std::exp2(std::max(bucket.log2Addresses, log2Least) - log2Unit)});
  for (const uint64_t tie : estimate.ties)
    groups.push_back({tie, 0});
  std::stable_sort(groups.begin(), groups.end(),
                   [](const Group &a, const Group &b) { return a.loops < b.loops; });
  size_t count = 0;
  for (const Group &group : groups)
    if (count > 0 && groups[count - 1].loops == group.loops)
      groups[count - 1].work += group.work;
    else
      groups[count++] = group;
  groups.resize(count);
  return groups;
}

/// Returns the loops of a set that end before the others in it.
std::vector<size_t> endingFirst(uint64_t set, const std::vector<uint32_t> &ends) {
  std::vector<size_t> first;
  forBits(set, [&](size_t i) {
    if (!first.empty() && ends[i] < ends[first.front()])
      first.clear();
    if (first.empty() || ends[i] == ends[first.front()])
      first.push_back(i);
  });
  return first;
}

/// Returns the places of the loops among the given variables, innermost first. Among the loops
/// left, the next one is the one that would run for the least time, inside loops over no more
/// variables than its buckets depend on.
std::vector<size_t> innermostFirst(std::vector<Group> groups, const UnorderedLoops &loops) {
  std::vector<size_t> places;
  const size_t count = loops.log2Extents.size();
  MPF_CHECK(count <= kMaxLoops && loops.ends.size() == count, "{} loops end, of {} and at most {}",
            loops.ends.size(), count, kMaxLoops);
  for (uint64_t left = count == 0 ? 0 : ~uint64_t{0} >> (kMaxLoops - count); left != 0;) {
    size_t inner = 0;
    double least = std::numeric_limits<double>::infinity();
    uint64_t around = 0;
    bool any = false;
    for (const size_t i : endingFirst(left, loops.ends)) {
      double sum = 0;
      uint64_t set = 0;
      for (const Group &group : groups)
        if (group.loops >> i & 1) {
          sum += group.work;
          set |= group.loops;
        }
      double log2Work = sum > 0 ? std::log2(sum) : kNothing;
      forBits(set, [&](size_t loop) { log2Work += loops.log2Extents[loop]; });
      if (log2Work < least || !std::exchange(any, true)) {
        inner = i;
        least = log2Work;
        around = set;
      }
    }
    const uint64_t bit = uint64_t{1} << inner;
    for (Group &group : groups)
      if (group.loops & bit)
        group.loops = 0; // its loop is found
    groups.push_back({around & ~bit, 0});
    left &= ~bit;
    places.push_back(inner);
  }
  return places;
}

} // namespace

void orderSliceLoops(SliceEstimate &estimate, const UnorderedLoops &loops, double leastAddresses) {
  const double log2Least = leastAddresses > 1 ? std::log2(leastAddresses) : 0;
  double log2Unit = kNothing;
  for (const BucketEstimate &bucket : estimate.buckets)
    log2Unit = std::max(log2Unit, bucket.log2Addresses);
  if (estimate.buckets.empty())
    log2Unit = 0;
  const std::vector<Group> groups = groupsOf(estimate, log2Unit, log2Least);
  const std::vector<size_t> places = innermostFirst(groups, loops);
  MPF_CHECK(places.size() == loops.sliced.size(), "{} of {} loops have a place", places.size(),
            loops.sliced.size());
  const auto count = static_cast<uint32_t>(places.size());
  const auto numbered = [&](uint64_t set) {
    uint64_t numbers = 0;
    for (uint32_t n = 0; n < count; ++n)
      numbers |= (set >> places[n] & 1) << (count - 1 - n);
    return numbers;
  };
  for (size_t n = count; n-- > 0;)
    estimate.sliced.push_back(loops.sliced[places[n]]);
  std::vector<uint64_t> sets;
  for (const Group &group : groups)
    sets.push_back(numbered(group.loops));
  estimate.loops = loopTreeOf(count, sets);
  const LoopTree &tree = estimate.loops;
  std::vector<double> log2Runs{0};
  std::vector<char> isOuter(count + 1, 0);
  for (uint32_t loop = 1; loop <= count; ++loop) {
    log2Runs.push_back(log2Runs[tree.parent(loop)] + loops.log2Extents[places[count - loop]]);
    isOuter[tree.parent(loop)] = 1;
  }
  const double log2MostRuns = *std::max_element(log2Runs.begin(), log2Runs.end());
  double work = 0;
  for (size_t g = 0; g < groups.size(); ++g)
    work += groups[g].work *
            std::exp2(log2Runs[static_cast<size_t>(std::bit_width(sets[g]))] - log2MostRuns);
  estimate.log2Work = work > 0 ? log2Unit + log2MostRuns + std::log2(work) : kNothing;
  double slices = 0;
  for (uint32_t loop = 1; loop <= count; ++loop)
    if (!isOuter[loop])
      slices += std::exp2(log2Runs[loop] - log2MostRuns);
  estimate.log2Slices = count == 0 ? 0 : log2MostRuns + std::log2(slices);
}

} // namespace mpf
