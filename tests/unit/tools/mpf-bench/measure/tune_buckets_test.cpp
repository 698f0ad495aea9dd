// --autotune of the bucket benchmark, with times from a script.
#include "tools/mpf-bench/measure/plan_buckets.h"
#include "tools/mpf-bench/measure/tune_buckets.h"
#include "tools/mpf-bench/shapes/choose_shapes.h"

#include <gtest/gtest.h>

namespace mpf::bench {
namespace {

std::vector<BucketJob> plannedJobs() {
  BucketBenchOptions shapes;
  shapes.names = {"pair", "triangle", "star"};
  PlanBucketsOptions options;
  options.target = targetNamed("sm_90");
  options.types = {ElementType::F64};
  options.nextBest = 3;
  return planBuckets(chooseShapes(shapes), options, TimeBudget(1e6));
}

/// Gives every job the model's time, except one kernel of each bucket. That kernel takes half of it
/// in the first round, and `secondShare` times as long as that in the second.
struct Scripted {
  std::vector<std::string> fast;
  double secondShare = 1;
  size_t rounds = 0, jobs = 0;

  void operator()(std::vector<BucketJob> &list) {
    ++rounds;
    jobs += list.size();
    for (BucketJob &job : list) {
      job.result.outcome = Outcome::Right;
      job.result.timeUs = 100;
      if (std::find(fast.begin(), fast.end(), job.plan->header().name) != fast.end())
        job.result.timeUs = rounds == 1 ? 50 : 50 * secondShare;
    }
  }
};

TEST(TuneBuckets, TheFastestIsKeptAndTimedOnceMore) {
  const std::vector<BucketJob> planned = plannedJobs();
  Scripted script;
  script.secondShare = 1.2;
  for (const BucketJob &job : planned) {
    ASSERT_TRUE(job.plan) << job.result.note;
    ASSERT_EQ(job.nextBest.size(), 3u);
    if (job.shape.name != "star")
      script.fast.push_back(job.nextBest[1].header().name);
  }
  const std::vector<BucketJob> tuned = tuneBuckets(planned, std::ref(script));
  EXPECT_EQ(script.rounds, 2u);
  EXPECT_EQ(script.jobs, 3u * 4 + 2 + 2 + 1);
  ASSERT_EQ(tuned.size(), planned.size());
  for (size_t i = 0; i < tuned.size(); ++i) {
    SCOPED_TRACE(tuned[i].shape.name);
    const bool changed = tuned[i].shape.name != "star";
    ASSERT_EQ(tuned[i].candidates.size(), 4u);
    EXPECT_EQ(tuned[i].candidates[0].kernel, planned[i].plan->header().name);
    EXPECT_EQ(tuned[i].plan->header().name,
              changed ? planned[i].nextBest[1].header().name : planned[i].plan->header().name);
    EXPECT_DOUBLE_EQ(*tuned[i].result.timeUs, changed ? 60 : 100);
    EXPECT_DOUBLE_EQ(*tuned[i].modelChoiceUs, 100);
    EXPECT_EQ(tuned[i].result.outcome, Outcome::Right);
  }
  const std::string text = tunedText(tuned);
  EXPECT_NE(text.find("tuned 3 buckets"), std::string::npos);
  EXPECT_NE(text.find("2 changed, at most 1.67 times as fast"), std::string::npos) << text;
  EXPECT_EQ(tunedText(planned), "");
}

TEST(TuneBuckets, AWrongCandidateMakesTheBucketWrong) {
  const std::vector<BucketJob> planned = plannedJobs();
  const std::string wrong = planned[0].nextBest[2].header().name;
  const auto measure = [&](std::vector<BucketJob> &list) {
    for (BucketJob &job : list) {
      job.result.outcome = job.plan->header().name == wrong ? Outcome::Wrong : Outcome::Right;
      job.result.timeUs = 100;
    }
  };
  const std::vector<BucketJob> tuned = tuneBuckets(planned, measure);
  EXPECT_EQ(tuned[0].result.outcome, Outcome::Wrong);
  EXPECT_EQ(tuned[0].plan->header().name, wrong);
  EXPECT_EQ(tuned[1].result.outcome, Outcome::Right);
}

TEST(TuneBuckets, WhatWasSkippedStaysSkipped) {
  const auto measure = [](std::vector<BucketJob> &list) {
    for (BucketJob &job : list)
      job.result = {Outcome::Skipped, "no time", {}, {}, {}, 0, 0};
  };
  for (const BucketJob &job : tuneBuckets(plannedJobs(), measure))
    EXPECT_EQ(job.result.outcome, Outcome::Skipped);
}

} // namespace
} // namespace mpf::bench
