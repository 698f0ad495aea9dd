#include "tools/mpfc/cases/case_pipeline.h"

#include "dsl/support/check.h"

#include <functional>
#include <gtest/gtest.h>

#include <atomic>
#include <chrono>
#include <memory>
#include <optional>
#include <thread>
#include <vector>

namespace mpf::driver {
namespace {

/// A list of `count` cases that set nothing, read block after block or at places. If `fails`, it
/// ends with an error.
class CountedCases final : public CaseSource {
public:
  explicit CountedCases(uint64_t count, bool fails = false, bool hasPlaces = false)
      : count_(count), fails_(fails), hasPlaces_(hasPlaces) {}

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
  bool hasPlaces() const override { return hasPlaces_; }
  std::optional<uint64_t> caseCount() const override { return fails_ ? 2 * count_ : count_; }
  /// Reads at a place. The list continues after its failure, but cases from there must not be seen.
  /// Every case whose number ends in 7 is skipped.
  void readAt(uint64_t first, CaseBlock &block, BlockReport &report) const override {
    const uint64_t all = fails_ ? UINT64_MAX : count_;
    block.first = first;
    block.count =
        static_cast<uint32_t>(std::min<uint64_t>(block.pitch(), all - std::min(first, all)));
    if (fails_ && first + block.count > count_) {
      block.count = static_cast<uint32_t>(count_ - std::min(first, count_));
      report.end = std::make_exception_ptr(
          Error(ErrorKind::BadInput, fmt::format("row {} is bad", std::max(first, count_))));
    }
    for (uint64_t i = first; i < first + block.count; ++i)
      if (i % 10 == 7)
        report.skipped.add(i, [i] { return std::to_string(i); });
  }
  void cancel() override { isCancelled_ = true; }

private:
  const std::string name_ = "counted";
  const CaseSchema schema_;
  uint64_t count_, at_ = 0;
  bool fails_, hasPlaces_;
  std::atomic<bool> isCancelled_{false};
};

TEST(BlockSizes, DoubleUpToTheUsualSize) {
  for (const uint32_t first : {1u, 3u, 10u, 100u}) {
    const BlockSizes sizes{first, 100};
    uint64_t cases = 0;
    EXPECT_EQ(sizes.casesOf(0), first);
    for (uint64_t number = 0; number < 100; ++number) {
      EXPECT_EQ(sizes.firstCaseOf(number), cases) << number;
      cases += sizes.casesOf(number);
      EXPECT_EQ(sizes.casesOf(number + 1), std::min(2 * sizes.casesOf(number), 100u));
    }
  }
  EXPECT_EQ((BlockSizes{1, UINT32_MAX}.casesOf(uint64_t{1} << 40)), UINT32_MAX);
  EXPECT_EQ((BlockSizes{4, 8}.firstCaseOf(uint64_t{1} << 40)), 4 + ((uint64_t{1} << 40) - 1) * 8);
}

/// Returns the error of the pipeline; "": there is none.
std::string errorOf(CaseSource &source, const CaseStages &stages) {
  try {
    runCasePipeline(source, stages);
  } catch (const Error &failure) {
    return failure.what();
  }
  return {};
}

/// Sets the last stages: they count the cases in `taken`, and expect their jobs in order.
void takeInOrder(CaseStages &stages, uint64_t &taken) {
  stages.format = [](CaseJob &job) { job.text = std::to_string(job.block.first); };
  stages.take = [&taken](const CaseJob &job) {
    EXPECT_EQ(job.text, std::to_string(taken));
    taken += job.block.count;
  };
}

/// A run with a stage that fails at the job with a given case.
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
    stages.blocks = {10, 10};
    stages.threads = threads;
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
    error = errorOf(source, stages);
  }
};

TEST(CasePipeline, KeepsTheOrder) {
  for (const unsigned threads : {1u, 2u, 5u})
    for (const uint64_t cases : {0u, 1u, 10u, 2005u})
      for (const unsigned answering : {1u, threads})
        for (const bool hasPlaces : {false, true}) {
          CountedCases source(cases, false, hasPlaces);
          StagedRun run;
          run.run(source, threads, answering);
          EXPECT_EQ(run.error, "");
          EXPECT_EQ(run.taken, cases);
        }
}

/// While one thread is late with the first job, the others answer all remaining jobs.
TEST(CasePipeline, ALateJobLeavesTheOthersWork) {
  constexpr unsigned kThreads = 4;
  const size_t others = caseJobCount(kThreads) - 1;
  EXPECT_GE(others, 2 * size_t{kThreads});
  CountedCases source(10'000, false, true);
  CaseStages stages;
  stages.blocks = {10, 10};
  stages.threads = stages.answerThreads = kThreads;
  std::atomic<size_t> formatted{0};
  std::atomic<bool> areDone{false};
  uint64_t taken = 0;
  stages.answer = [&](CaseJob &job) {
    for (int wait = 0; job.number == 0 && formatted < others && wait < 5000; ++wait)
      std::this_thread::sleep_for(std::chrono::milliseconds(1));
    if (job.number == 0)
      areDone = formatted >= others;
  };
  takeInOrder(stages, taken);
  const auto format = stages.format;
  stages.format = [&](CaseJob &job) {
    format(job);
    ++formatted;
  };
  EXPECT_EQ(errorOf(source, stages), "");
  EXPECT_TRUE(areDone) << formatted << " of " << others;
  EXPECT_EQ(taken, 10'000u);
}

TEST(CasePipeline, RowsThatAreSkippedAreCountedInTheirOrder) {
  CountedCases source(2005, false, true);
  StagedRun run;
  run.run(source, 5, 5);
  EXPECT_EQ(run.taken, 2005u);
  EXPECT_EQ(source.badRows().count, 200u);
  ASSERT_EQ(source.badRows().messages.size(), BadRows::kMostMessages);
  for (size_t i = 0; i < BadRows::kMostMessages; ++i)
    EXPECT_EQ(source.badRows().messages[i], std::to_string(10 * i + 7));
}

/// A device with room for `room` jobs, which fails with the job of case `fails`.
class FakeDevice {
public:
  FakeDevice(size_t room, uint64_t fails = UINT64_MAX) : room_(room), fails_(fails) {}

  bool send(CaseJob &job) {
    if (inside_.fetch_add(1) >= room_) {
      --inside_;
      return false;
    }
    job.sent.push_back(std::make_unique<Sent>(*this, job));
    return true;
  }
  size_t inside() const { return inside_; }

private:
  class Sent final : public SentBlock {
  public:
    Sent(FakeDevice &device, const CaseJob &job) : device_(device), job_(job) {}
    ~Sent() override { --device_.inside_; }
    bool finish() override {
      std::this_thread::sleep_for(std::chrono::microseconds(50));
      StagedRun::failAt(device_.fails_, job_, "the device");
      return true;
    }

  private:
    FakeDevice &device_;
    const CaseJob &job_;
  };

  const size_t room_;
  const uint64_t fails_;
  std::atomic<size_t> inside_{0};
};

/// Every amount of room works, even none: jobs are then answered on the host.
TEST(CasePipeline, WhatADeviceHasNoRoomForWaits) {
  for (const size_t room : {0u, 1u, 2u, 100u})
    for (const unsigned threads : {1u, 2u, 5u})
      for (const uint64_t fails : {UINT64_MAX, uint64_t{475}}) {
        CountedCases source(2005, false, true);
        FakeDevice device(room, fails);
        std::atomic<unsigned> answering{0};
        uint64_t taken = 0;
        CaseStages stages;
        stages.blocks = {10, 10};
        stages.threads = threads;
        stages.send = [&](CaseJob &job) { return device.send(job); };
        stages.answer = [&](CaseJob &job) {
          if (!job.sent.empty() && job.sent.front()->finish())
            return;
          EXPECT_EQ(answering.fetch_add(1), 0u); // at most one at a time, as answerThreads requires
          const std::unique_ptr<void, std::function<void(void *)>> leave(
              &answering, [&](void *) { --answering; });
          StagedRun::failAt(fails, job, "the device");
        };
        takeInOrder(stages, taken);
        const std::string error = errorOf(source, stages);
        EXPECT_EQ(error, fails == UINT64_MAX ? "" : "the device fails");
        EXPECT_EQ(taken, fails == UINT64_MAX ? 2005u : 470u) << room << ", " << threads;
        EXPECT_EQ(device.inside(), 0u);
      }
}

/// A device takes blocks of unread rows. Blocks that it refuses are read where they are answered,
/// with their bad rows and the end of the list.
TEST(CasePipeline, RowsAreReadWhereADeviceRefusesThem) {
  for (const size_t room : {0u, 3u, 100u})
    for (const unsigned threads : {1u, 2u, 5u})
      for (const bool fails : {false, true}) {
        const uint64_t end = fails ? 475 : 2005;
        CountedCases source(end, fails, true);
        FakeDevice device(room);
        std::atomic<unsigned> read{0};
        uint64_t taken = 0;
        CaseStages stages;
        stages.blocks = {10, 10};
        stages.threads = threads;
        stages.sendsRows = true;
        stages.send = [&](CaseJob &job) {
          EXPECT_FALSE(job.isRead);
          return device.send(job);
        };
        stages.answer = [&](CaseJob &job) {
          const bool isRefused =
              job.number % 3 == 0 || (fails && job.block.first + job.block.count > end);
          if (!job.sent.empty() && job.sent.front()->finish() && !isRefused)
            return;
          ++read;
          source.readAt(job.block.first, job.block, job.report);
          job.isRead = true;
        };
        takeInOrder(stages, taken);
        const std::string error = errorOf(source, stages);
        EXPECT_EQ(error, fails ? "row 475 is bad" : "");
        EXPECT_EQ(taken, end) << room << ", " << threads;
        EXPECT_GE(read, end / 30);
        EXPECT_EQ(device.inside(), 0u);
      }
}

/// The list is read in order or at places, by one thread or several.
TEST(CasePipeline, TheFirstBlocksAreSmall) {
  for (const bool hasPlaces : {false, true})
    for (const unsigned threads : {1u, 4u}) {
      CountedCases source(57, false, hasPlaces);
      CaseStages stages;
      stages.blocks = {3, 20};
      stages.threads = threads;
      stages.answer = stages.format = [](CaseJob &) {};
      std::vector<uint32_t> counts;
      uint64_t taken = 0;
      stages.take = [&](const CaseJob &job) {
        EXPECT_EQ(job.block.first, taken);
        taken += job.block.count;
        counts.push_back(job.block.count);
      };
      runCasePipeline(source, stages);
      EXPECT_EQ(counts, (std::vector<uint32_t>{3, 6, 12, 20, 16}));
    }
}

/// Each stage has one job, and all stages go on at the same time.
TEST(CasePipeline, SeveralThreadsAnswer) {
  CountedCases source(30);
  std::atomic<int> answering{0};
  CaseStages stages;
  stages.blocks = {10, 10};
  stages.answerThreads = stages.threads = 3;
  stages.answer = [&](CaseJob &) {
    ++answering;
    const auto end = std::chrono::steady_clock::now() + std::chrono::seconds(20);
    while (answering < 3 && std::chrono::steady_clock::now() < end)
      std::this_thread::yield();
  };
  stages.format = stages.answer; // as many threads: they need not wait
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
    for (const bool hasPlaces : {false, true}) {
      CountedCases source(475, true, hasPlaces);
      StagedRun run;
      run.run(source, threads, threads);
      EXPECT_EQ(run.error, "row 475 is bad");
      EXPECT_EQ(run.taken, 475u);
      EXPECT_EQ(source.badRows().count, hasPlaces ? 47u : 0u); // without the cases after the error
    }
  }
}

} // namespace
} // namespace mpf::driver
