// The share of a command's time that searches for orders may take.
#include "tools/mpfc/compile/search_end.h"

#include <gtest/gtest.h>

namespace mpf::driver {
namespace {

using Clock = std::chrono::steady_clock;
using Seconds = std::chrono::duration<double>;

TEST(SearchEnd, IsAShareOfTheTimeThatIsLeft) {
  const Clock::time_point now = Clock::now();
  const Seconds share = SearchTime{now + std::chrono::hours(1), 0.25}.deadline() - now;
  EXPECT_NEAR(share.count(), 900, 60);
  const Clock::time_point late = SearchTime{now - std::chrono::hours(1), 0.5}.deadline();
  EXPECT_LE(late, Clock::now()) << "no time is left";
}

TEST(SearchEnd, IsOneForAllEnginesOfAQuery) {
  Options options;
  EXPECT_EQ(withOneSearchEnd(options).searchTime.deadline(), Clock::time_point::max())
      << "there is no limit";
  options.ends = Clock::now() + std::chrono::hours(1);
  const Options bounded = withOneSearchEnd(options);
  const Clock::time_point first = bounded.searchTime.deadline();
  EXPECT_EQ(bounded.searchTime.deadline(), first);
  EXPECT_NEAR(Seconds(first - Clock::now()).count(), 360, 60);
}

} // namespace
} // namespace mpf::driver
