#include "runtime/compile/compiler.h"

#include <gtest/gtest.h>

using namespace mpf;

TEST(ResourceReport, ReadsEveryEntry) {
  const auto report = parseResourceReport(
      "ptxas info    : 0 bytes gmem\n"
      "ptxas info    : Compiling entry function 'tile_a' for 'sm_90'\n"
      "ptxas info    : Function properties for tile_a\n"
      "    688 bytes stack frame, 2244 bytes spill stores, 2296 bytes spill loads\n"
      "ptxas info    : Used 64 registers, used 1 barriers, 688 bytes cumulative stack size, 33280 "
      "bytes smem\n"
      "ptxas info    : Compiling entry function 'stream_b' for 'sm_90'\n"
      "ptxas info    : Function properties for stream_b\n"
      "    0 bytes stack frame, 0 bytes spill stores, 0 bytes spill loads\n"
      "ptxas info    : Used 20 registers, used 0 barriers\n");
  ASSERT_EQ(report.size(), 2u);
  EXPECT_EQ(report[0].entry, "tile_a");
  EXPECT_EQ(report[0].registers, 64u);
  EXPECT_EQ(report[0].stackBytes, 688u);
  EXPECT_EQ(report[0].spillStoreBytes, 2244u);
  EXPECT_EQ(report[0].spillLoadBytes, 2296u);
  EXPECT_EQ(report[0].sharedBytes, 33280u);
  EXPECT_EQ(report[1].registers, 20u);
  EXPECT_EQ(report[1].sharedBytes, 0u);
}

TEST(ResourceReport, NoiseGivesNothing) {
  EXPECT_TRUE(parseResourceReport("").empty());
  EXPECT_TRUE(parseResourceReport("warning #177-D: x\n 3 bytes stack frame\n").empty());
}
