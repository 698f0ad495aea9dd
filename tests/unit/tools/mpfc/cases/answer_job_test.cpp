// A block through several engines whose devices take it, or refuse it: each engine answers it once.
#include "tools/mpfc/cases/answer_job.h"

#include <gtest/gtest.h>

#include <memory>
#include <string>

namespace mpf::driver {
namespace {

/// Rows that a device may take unread; counts the reads.
class Rows final : public CaseSource {
public:
  const std::string &name() const override { return name_; }
  const CaseSchema &schema() const override { return schema_; }
  bool next(CaseBlock &) override { return false; }
  bool hasPlaces() const override { return true; }
  void readAt(uint64_t first, CaseBlock &block, BlockReport &report) const override {
    ++reads;
    block.first = first;
    block.count = left;
    ++report.skipped.count;
  }

  uint32_t left = 4; ///< cases of a block that is read
  mutable int reads = 0;

private:
  const std::string name_ = "rows";
  const CaseSchema schema_;
};

/// An engine like lanes on a device: it counts the cases that it answers, as CaseRunner does.
struct Engine {
  bool hasRoom = true, takesRows = true;
  uint64_t cases = 0;
  int sent = 0;

  struct Sent final : SentBlock {
    Sent(Engine &sender, const CaseBlock &sent) : engine(sender), block(sent) { ++sender.sent; }
    ~Sent() override { --engine.sent; }
    bool finish() override {
      if (engine.takesRows)
        engine.cases += block.count;
      return engine.takesRows;
    }
    Engine &engine;
    const CaseBlock &block;
  };

  CaseEngine calls() {
    CaseEngine made;
    made.answer = [this](const CaseBlock &block, CaseAnswers &) { cases += block.count; };
    made.send = [this](const CaseBlock &block, const ByteRows *,
                       CaseAnswers &) -> std::unique_ptr<SentBlock> {
      return hasRoom ? std::make_unique<Sent>(*this, block) : nullptr;
    };
    return made;
  }
};

struct TwoEngines {
  Rows rows;
  Engine first, second;
  CaseJob job;

  /// Sends and answers a block of four cases.
  bool run() {
    const std::vector<CaseEngine> engines = {first.calls(), second.calls()};
    EXPECT_TRUE(canSend(engines));
    job.block = CaseBlock(rows.schema(), 4);
    job.block.count = 4;
    job.isRead = false;
    const bool isSent = sendJob(rows, engines, job);
    answerJob(rows, engines, job);
    job.sent.clear();
    return isSent;
  }
};

TEST(AnswerJob, WhatDevicesAnswerIsNotRead) {
  TwoEngines both;
  EXPECT_TRUE(both.run());
  EXPECT_EQ(both.rows.reads, 0);
  EXPECT_EQ(both.first.cases, 4U);
  EXPECT_EQ(both.second.cases, 4U);
}

TEST(AnswerJob, AnEngineThatHasAnsweredIsNotAskedAgain) {
  TwoEngines both;
  both.second.takesRows = false;
  EXPECT_TRUE(both.run());
  EXPECT_EQ(both.rows.reads, 1);
  EXPECT_EQ(both.job.report.skipped.count, 1U);
  EXPECT_EQ(both.first.cases, 4U) << "counted once";
  EXPECT_EQ(both.second.cases, 4U);
}

TEST(AnswerJob, WhatAllRefuseIsReadOnce) {
  TwoEngines both;
  both.first.takesRows = both.second.takesRows = false;
  both.rows.left = 3;
  EXPECT_TRUE(both.run());
  EXPECT_EQ(both.rows.reads, 1);
  EXPECT_EQ(both.first.cases, 3U);
  EXPECT_EQ(both.second.cases, 3U);
}

TEST(AnswerJob, ADeviceWithoutRoomLeavesNothingWithOthers) {
  TwoEngines both;
  both.second.hasRoom = false;
  EXPECT_FALSE(both.run());
  EXPECT_EQ(both.first.sent, 0);
  EXPECT_EQ(both.rows.reads, 1);
  EXPECT_EQ(both.first.cases, 4U);
  EXPECT_EQ(both.second.cases, 4U);
}

} // namespace
} // namespace mpf::driver
