#include "runtime/schedule/launches/launch_window.h"

#include <gtest/gtest.h>

namespace mpf {
namespace {

constexpr ByteRange kA{0, 16}, kB{16, 32}, kC{32, 48}, kD{48, 64};

TEST(LaunchWindow, LaunchesThatShareNothingWaitAtTheirEnd) {
  LaunchWindow window;
  EXPECT_EQ(window.add({{}, {kA}}), WaitPoint::End);
  EXPECT_EQ(window.add({{}, {kB}}), WaitPoint::End);
  EXPECT_EQ(window.add({{}, {kC}}), WaitPoint::End);
}

TEST(LaunchWindow, ReadersOfResultsWaitWhenTheyBegin) {
  LaunchWindow window;
  window.add({{}, {kA}});
  EXPECT_EQ(window.add({{kA}, {kB}}), WaitPoint::Begin);
  EXPECT_EQ(window.add({{kA}, {kC}}), WaitPoint::Begin) << "though A's writer has ended";
}

TEST(LaunchWindow, TheWriterOfMemoryInUseWaitsBeforeItStores) {
  LaunchWindow window;
  window.add({{}, {kA}});
  window.add({{kA}, {kB}});
  EXPECT_EQ(window.add({{}, {kA}}), WaitPoint::Stores) << "its reader may still run";
  LaunchWindow written;
  written.add({{}, {kA}});
  EXPECT_EQ(written.add({{}, {{12, 20}}}), WaitPoint::Stores) << "its writer may";
}

TEST(LaunchWindow, AWaitBeforeStoresEndsNothingForTheNext) {
  LaunchWindow window;
  window.add({{}, {kA}});
  EXPECT_EQ(window.add({{}, {kA, kB}}), WaitPoint::Stores);
  // The second launch may have started while the first still ran, and so may this one.
  EXPECT_EQ(window.add({{}, {kA}}), WaitPoint::Stores);
  EXPECT_EQ(window.add({{}, {kC}}), WaitPoint::End);
}

TEST(LaunchWindow, BehindALaunchThatWaitsAtOnceNothingElseIsUnfinished) {
  LaunchWindow window;
  window.add({{}, {kA}});
  window.addSerial({{kC}, {kB}});
  EXPECT_EQ(window.add({{}, {kA}}), WaitPoint::End);
  EXPECT_EQ(window.add({{}, {kC}}), WaitPoint::Stores);
  window.add({{kA}, {kD}});
  EXPECT_EQ(window.add({{}, {kC}}), WaitPoint::End);
}

TEST(LaunchWindow, BehindACopyNothingIsUnfinished) {
  LaunchWindow window;
  window.add({{}, {kA}});
  window.clear();
  EXPECT_EQ(window.add({{}, {kA}}), WaitPoint::End);
}

TEST(LaunchWindow, AfterManyLaunchesOneWaits) {
  LaunchWindow window;
  unsigned begins = 0;
  for (uint64_t i = 0; i < 200; ++i)
    begins += window.add({{}, {{i, i + 1}}}) == WaitPoint::Begin;
  EXPECT_GT(begins, 1u);
  EXPECT_LT(begins, 10u);
}

} // namespace
} // namespace mpf
