#include "runtime/schedule/launches/planned_ranges.h"

#include <gtest/gtest.h>

namespace mpf {
namespace {

using States = std::vector<TableState>;

const TableState kZero; // all entries

TEST(PlannedRanges, AreThereOnceSomethingIsPlanned) {
  PlannedRanges ranges;
  EXPECT_FALSE(ranges.contain({}));
  EXPECT_FALSE(ranges.contain({kZero}));
  ranges.widen({kZero});
  EXPECT_TRUE(ranges.contain({kZero}));
}

TEST(PlannedRanges, ContainWhatLiesWithinWhateverTheScale) {
  PlannedRanges ranges;
  ranges.widen({{3, -5, 0, 0}, {0, -2, 0, 0}});
  EXPECT_TRUE(ranges.contain({{-70, -4, -1, 0}, {0, -2, 0, 0}}));
  EXPECT_TRUE(ranges.contain({{3, -5, 0, 0}, kZero}));
  EXPECT_FALSE(ranges.contain({{3, -6, 0, 0}, {0, -2, 0, 0}}));
  EXPECT_FALSE(ranges.contain({{3, -5, 0, 0}, {0, -2, 1, 0}}));
  EXPECT_FALSE(ranges.contain({{3, -5, 0, 1}, {0, -2, 0, 0}})) << "in logarithms";
}

TEST(PlannedRanges, GrowByWhatComes) {
  PlannedRanges ranges;
  ranges.widen({{0, -5, 0, 0}});
  EXPECT_EQ(ranges.widen({{0, -2, 1, 0}}), (States{{0, -5, 1, 0}}));
  EXPECT_TRUE(ranges.contain({{0, -5, 0, 0}}));
  EXPECT_TRUE(ranges.contain({{0, -3, 1, 0}}));
  EXPECT_EQ(ranges.widen({kZero}), (States{{0, -5, 1, 0}}));
  ranges.widen({{0, -900, 0, 1}});
  EXPECT_TRUE(ranges.contain({{0, -900, 1, 1}}));
  EXPECT_TRUE(ranges.contain({{0, -900, 1, 0}})) << "linear tables, planned as if nothing held";
}

TEST(PlannedRanges, OfAProgramWithoutTables) {
  PlannedRanges ranges;
  ranges.widen({});
  EXPECT_TRUE(ranges.contain({}));
}

} // namespace
} // namespace mpf
