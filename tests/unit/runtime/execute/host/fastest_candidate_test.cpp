// The choice by measuring, with times from a script.
#include "runtime/execute/host/fastest_candidate.h"

#include <gtest/gtest.h>

namespace mpf {
namespace {

TEST(FastestCandidate, TheFirstStaysUnlessAnotherIsClearlyFaster) {
  EXPECT_EQ(fastestCandidate(std::vector<double>{10}), 0u);
  EXPECT_EQ(fastestCandidate(std::vector<double>{10, 9.95, 12}), 0u) << "half a per cent is noise";
  EXPECT_EQ(fastestCandidate(std::vector<double>{10, 11, 9}), 2u);
  EXPECT_EQ(fastestCandidate(std::vector<double>{10, 9, 9}), 1u) << "equals: the earlier one";
}

TEST(FastestCandidate, MediansBearOneSlowRunAndOneFastOne) {
  std::vector<size_t> runs(3, 0);
  const auto run = [&](size_t i) {
    const size_t number = runs[i]++;
    if (number == 0)
      return 1000.0; // the first is slow for everybody
    return number == 5 ? 0.1 : 10.0 + static_cast<double>(i);
  };
  EXPECT_EQ(measureCandidates(3, run), (std::vector<double>{10, 11, 12}));
}

TEST(FastestCandidate, TheHopelessDropOut) {
  std::vector<size_t> runs(3, 0);
  const std::vector<double> times{10, 12, 40};
  EXPECT_EQ(measureCandidates(3,
                              [&](size_t i) {
                                ++runs[i];
                                return times[i];
                              }),
            times);
  EXPECT_GT(runs[0], 8u);
  EXPECT_EQ(runs[0], runs[1]);
  EXPECT_LT(runs[2], 4u);
}

TEST(FastestCandidate, LongRunsAreFewAndEachTakesOne) {
  std::vector<size_t> runs(2, 0);
  const auto run = [&](size_t i) {
    ++runs[i];
    return 3e6;
  };
  measureCandidates(2, run);
  EXPECT_EQ(runs, (std::vector<size_t>{1, 1}));
}

} // namespace
} // namespace mpf
