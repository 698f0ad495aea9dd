// The time line as text.
#include "tools/mpfc/explain/facts/timeline_facts.h"

#include <gtest/gtest.h>

namespace mpf {
namespace {

TimelineBarFacts bar(uint32_t lane, const char *what, double startUs, double endUs) {
  TimelineBarFacts facts;
  facts.lane = lane;
  facts.what = what;
  facts.operations = 1;
  facts.startUs = startUs;
  facts.endUs = endUs;
  return facts;
}

QueryExplanation twoLanes() {
  QueryExplanation query;
  query.schedule = "greedy";
  query.asksGpu = true;
  query.target = "sm_90";
  query.timeline.lanes = {"cpu", "sm_90"};
  query.timeline.bars = {bar(0, "m0", 0, 40), bar(1, "m1", 0, 10), bar(0, "m2", 70, 71),
                         bar(1, "m3", 71, 100)};
  query.timeline.endUs = 100;
  return query;
}

TEST(TimelineFacts, LanesShowWhatIsBusy) {
  const QueryExplanation query = twoLanes();
  EXPECT_EQ(laneText(query.timeline, 0, 10), "####   -  ");
  EXPECT_EQ(laneText(query.timeline, 1, 10), "#      ###");
  EXPECT_EQ(laneText(query.timeline, 1, 1), "-");
  EXPECT_DOUBLE_EQ(busyShare(query.timeline, 0), 0.41);
  EXPECT_DOUBLE_EQ(busyShare(query.timeline, 1), 0.39);
}

TEST(TimelineFacts, TheLongestBarsStandInTheOrderOfTime) {
  QueryExplanation query = twoLanes();
  const FactTable table = longestBars(query, 2);
  ASSERT_EQ(table.rows.size(), 2u);
  EXPECT_EQ(table.rows[0], (std::vector<std::string>{"0", "40.0 us", "cpu", "m0"}));
  EXPECT_EQ(table.rows[1], (std::vector<std::string>{"71.0 us", "29.0 us", "sm_90", "m3"}));
  EXPECT_EQ(table.title, "time line: 100 us by --schedule greedy");
  query.timeline.openUs = 3e5;
  EXPECT_EQ(timelineTitle(query), "100 us by --schedule greedy, behind 300 ms of opening sm_90");
  EXPECT_TRUE(longestBars(QueryExplanation{}, 10).rows.empty());
}

} // namespace
} // namespace mpf
