// The steps of a traceback that a block fetches together.
#include "runtime/execute/gpu/tables/gpu_trace_table.h"

#include <algorithm>
#include <gtest/gtest.h>

namespace mpf {
namespace {

/// Returns steps with the given numbers of parts, and two terms for each part.
std::vector<GpuTraceStep> stepsOf(const std::vector<int32_t> &parts) {
  std::vector<GpuTraceStep> steps;
  int32_t before = 0;
  for (const int32_t count : parts) {
    GpuTraceStep &step = steps.emplace_back();
    step.firstPart = before;
    step.partCount = count;
    step.firstTerm = 2 * before;
    step.termCount = 2 * count;
    before += count;
  }
  return steps;
}

std::vector<int32_t> stagedOf(std::vector<GpuTraceStep> steps) {
  for (GpuTraceStep &step : steps)
    step.staged = 7; // as an earlier request left it
  stageTogether(steps);
  std::vector<int32_t> staged;
  for (const GpuTraceStep &step : steps)
    staged.push_back(step.staged);
  return staged;
}

TEST(GpuTraceTable, StepsAreFetchedTogetherAsTheyFit) {
  EXPECT_EQ(stagedOf({}), (std::vector<int32_t>{}));
  EXPECT_EQ(stagedOf(stepsOf({3, 0, 2})), (std::vector<int32_t>{3, 0, 0}));
  EXPECT_EQ(stagedOf(stepsOf({200, 56, 1})), (std::vector<int32_t>{2, 0, 1})) << "256 parts fit";
  EXPECT_EQ(stagedOf(stepsOf({1, 257, 1})), (std::vector<int32_t>{1, 0, 1})) << "read where it is";
  const std::vector<int32_t> many = stagedOf(stepsOf(std::vector<int32_t>(100, 1)));
  EXPECT_EQ(many[0], 64);
  EXPECT_EQ(many[64], 36);
  EXPECT_EQ(std::count(many.begin(), many.end(), 0), 98);
}

/// Records of steps between the requested ones are fetched too.
TEST(GpuTraceTable, SelectedStepsSpanWhatLiesBetween) {
  std::vector<GpuTraceStep> steps = stepsOf({10, 300, 10, 10});
  steps.erase(steps.begin() + 1);
  EXPECT_EQ(stagedOf(steps), (std::vector<int32_t>{1, 2, 0}));
}

} // namespace
} // namespace mpf
