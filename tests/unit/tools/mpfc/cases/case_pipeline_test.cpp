#include "tools/mpfc/cases/case_pipeline.h"

#include "dsl/support/error.h"

#include <gtest/gtest.h>

#include <atomic>
#include <chrono>
#include <thread>

namespace mpf::driver {
namespace {

/// `count` cases that set nothing; fails behind them if asked to.
class CountedCases final : public CaseSource {
public:
  explicit CountedCases(uint64_t count, bool fails = false) : count_(count), fails_(fails) {}

  const std::string &name() const override { return name_; }
  const CaseSchema &schema() const override { return schema_; }
  bool next(CaseBlock &block) override {
    if (isCancelled_)
      return false;
    block.first = at_;
    block.count = static_cast<uint32_t>(std::min<uint64_t>(block.pitch(), count_ - at_));
    at_ += block.count;
    if (block.count == 0 && fails_)
      fail(ErrorKind::BadInput, "row {} is bad", at_);
    return block.count != 0;
  }
  void cancel() override { isCancelled_ = true; }

private:
  const std::string name_ = "counted";
  const CaseSchema schema_;
  uint64_t count_, at_ = 0;
  bool fails_;
  std::atomic<bool> isCancelled_{false};
};

/// A stage that fails at the job with case `at`.
struct StagedRun {
  uint64_t answerFails = UINT64_MAX, formatFails = UINT64_MAX, takeFails = UINT64_MAX;
  uint64_t taken = 0; ///< cases, all in order
  std::string error;

  static void failAt(uint64_t at, const CaseJob &job, const char *stage) {
    if (job.block.first <= at && at < job.block.first + job.block.count)
      fail(ErrorKind::Device, "{} fails", stage);
  }

  void run(CaseSource &source, unsigned threads, unsigned answerThreads = 1) {
    CaseStages stages;
    stages.blockCases = 10;
    stages.formatThreads = threads;
    stages.answerThreads = answerThreads;
    stages.answer = [this](CaseJob &job) {
      if (job.number % 5 == 1)
        std::this_thread::sleep_for(std::chrono::microseconds(200));
      failAt(answerFails, job, "answer");
    };
    stages.format = [this](CaseJob &job) {
      if (job.number % 3 == 0) // overtaken by the others
        std::this_thread::sleep_for(std::chrono::microseconds(300));
      failAt(formatFails, job, "format");
      job.text = std::to_string(job.block.first);
    };
    stages.take = [this](const CaseJob &job) {
      failAt(takeFails, job, "take");
      EXPECT_EQ(job.block.first, taken);
      EXPECT_EQ(job.text, std::to_string(job.block.first));
      taken += job.block.count;
    };
    try {
      runCasePipeline(source, stages);
    } catch (const Error &failure) {
      error = failure.what();
    }
  }
};

TEST(CasePipeline, KeepsTheOrder) {
  for (const unsigned threads : {1u, 2u, 5u})
    for (const uint64_t cases : {0u, 1u, 10u, 2005u}) {
      for (const unsigned answering : {1u, threads}) {
        CountedCases source(cases);
        StagedRun run;
        run.run(source, threads, answering);
        EXPECT_EQ(run.error, "");
        EXPECT_EQ(run.taken, cases);
      }
    }
}

/// A list of one job in each stage: all of them go on at the same time.
TEST(CasePipeline, SeveralThreadsAnswer) {
  CountedCases source(30);
  std::atomic<int> answering{0};
  CaseStages stages;
  stages.blockCases = 10;
  stages.answerThreads = stages.formatThreads = 3;
  stages.answer = [&](CaseJob &) {
    ++answering;
    const auto end = std::chrono::steady_clock::now() + std::chrono::seconds(20);
    while (answering < 3 && std::chrono::steady_clock::now() < end)
      std::this_thread::yield();
  };
  stages.format = stages.answer; // the same number: they need not wait
  uint64_t taken = 0;
  stages.take = [&](const CaseJob &job) {
    EXPECT_EQ(job.block.first, taken);
    taken += job.block.count;
  };
  const auto begin = std::chrono::steady_clock::now();
  runCasePipeline(source, stages);
  EXPECT_LT(std::chrono::steady_clock::now() - begin, std::chrono::seconds(20));
  EXPECT_EQ(taken, 30u);
}

TEST(CasePipeline, WhatComesBeforeAFailureIsTaken) {
  for (const unsigned threads : {1u, 4u}) {
    for (uint64_t StagedRun::*stage :
         {&StagedRun::answerFails, &StagedRun::formatFails, &StagedRun::takeFails}) {
      CountedCases source(100'000);
      StagedRun run;
      run.*stage = 475;
      run.run(source, threads, threads);
      EXPECT_TRUE(run.error.ends_with(" fails")) << run.error;
      EXPECT_EQ(run.taken, 470u) << run.error;
    }
    CountedCases source(475, true);
    StagedRun run;
    run.run(source, threads);
    EXPECT_EQ(run.error, "row 475 is bad");
    EXPECT_EQ(run.taken, 475u);
  }
}

} // namespace
} // namespace mpf::driver
