#include "dsl/formats/uai/uai_table_order.h"

#include "tests/support/trials.h"

#include <gtest/gtest.h>
#include <numeric>
#include <random>

using namespace mpf;

namespace {

/// Returns the place of the entry at `states` in a listing; `slowestFirst` orders the axes.
size_t placeOf(const std::vector<uint32_t> &states, const std::vector<uint32_t> &extents,
               const std::vector<size_t> &slowestFirst) {
  size_t place = 0;
  for (const size_t axis : slowestFirst)
    place = place * extents[axis] + states[axis];
  return place;
}

} // namespace

/// Each entry is a number made of its states, so that any wrong order shows.
TEST(UaiTableOrder, ReadsWhatOtherProgramsList) {
  std::mt19937 random(1);
  for (int trial = 0; trial < trials(500); ++trial) {
    std::vector<uint32_t> extents(random() % 5);
    for (uint32_t &extent : extents)
      extent = 1 + random() % 4;
    const size_t child = extents.size() - 1;
    std::vector<size_t> format(extents.size()), pgmpy, agrum;
    std::iota(format.begin(), format.end(), size_t{0});
    pgmpy.assign(format.rbegin(), format.rend());
    for (size_t i = extents.size(); i-- > 1;)
      agrum.push_back(i - 1); // the parents, the first one fastest
    if (!extents.empty())
      agrum.push_back(child);
    size_t count = 1;
    for (const uint32_t extent : extents)
      count *= extent;
    for (const auto &[order, slowestFirst] :
         {std::pair(UaiTableOrder::Format, format), std::pair(UaiTableOrder::Pgmpy, pgmpy),
          std::pair(UaiTableOrder::Agrum, agrum)}) {
      std::vector<double> listed(count), wanted(count);
      for (size_t i = 0; i < count; ++i) {
        std::vector<uint32_t> states(extents.size());
        size_t rest = i;
        for (size_t axis = extents.size(); axis-- > 0; rest /= extents[axis])
          states[axis] = static_cast<uint32_t>(rest % extents[axis]);
        wanted[i] = static_cast<double>(i);
        listed[placeOf(states, extents, slowestFirst)] = wanted[i];
      }
      toFormatOrder(order, extents, listed);
      ASSERT_EQ(listed, wanted) << trial;
    }
  }
}
