// Blocks that the runner sends to a device, as codes or as rows.
#include "codegen/pipeline/pipeline.h"
#include "runtime/execute/lanes/case_runner.h"
#include "runtime/execute/lanes/cpu_lanes.h"
#include "tests/support/rows_in_memory.h"
#include "tests/unit/codegen/lanes/lane_programs.h"

#include <gtest/gtest.h>

namespace mpf {
namespace {

/// The behaviour of a device that gets rows.
struct RowTaking {
  bool refuses = false;         ///< whether it refuses rows
  std::vector<uint32_t> leaves; ///< cases that it does not answer
};

/// A device whose lanes are those of the CPU.
class FakeDevice final : public LaneExecutor {
public:
  FakeDevice(const LaneProgram &program, std::unique_ptr<LaneExecutor> lanes, RowTaking taking)
      : program_(program), lanes_(std::move(lanes)), taking_(std::move(taking)) {}
  std::string deviceName() const override { return "fake"; }
  void run(const CaseBlock &block, CaseAnswers &answers, std::vector<uint32_t> &left) override {
    lanes_->run(block, answers, left);
  }
  std::unique_ptr<SentLanes> send(const CaseBlock &block, const ByteRows *rows,
                                  CaseAnswers &answers) override {
    if (rows == nullptr)
      return std::make_unique<Sent>(*lanes_, block, answers, RowTaking());
    read_ = CaseBlock(program_.schema, block.count);
    read_.first = block.first;
    read_.count = block.count;
    std::vector<std::byte> row(rows->rowBytes());
    for (uint32_t i = 0; i < block.count; ++i) {
      EXPECT_TRUE(rows->fetch(block.first + i, 1, row.data()));
      for (size_t c = 0; c < rows->bytes().size(); ++c)
        read_.setCode(c, i,
                      rows->bytes()[c].code(static_cast<uint8_t>(row[rows->bytes()[c].place])));
    }
    return std::make_unique<Sent>(*lanes_, read_, answers, taking_);
  }

private:
  class Sent final : public SentLanes {
  public:
    Sent(LaneExecutor &lanes, const CaseBlock &block, CaseAnswers &answers, const RowTaking &taking)
        : lanes_(lanes), block_(block), answers_(answers), taking_(taking) {}
    bool finish(std::vector<uint32_t> &left) override {
      lanes_.run(block_, answers_, left);
      for (const uint32_t i : taking_.leaves) {
        answers_.tables[0].entries[i] = -1;
        left.push_back(i);
      }
      return !taking_.refuses;
    }

  private:
    LaneExecutor &lanes_;
    const CaseBlock &block_;
    CaseAnswers &answers_;
    const RowTaking taking_;
  };

  const LaneProgram &program_;
  const std::unique_ptr<LaneExecutor> lanes_;
  const RowTaking taking_;
  CaseBlock read_;
};

CaseRunnerOptions onFakeDevice(const RowTaking &taking = {}) {
  CaseRunnerOptions options;
  options.device = [taking](const LaneProgram &of, const CommonTables &common,
                            const LinearPlan &plan, ElementType type, ThreadPool &pool) {
    return std::make_unique<FakeDevice>(of, makeCpuLanes(of, common, plan, type, pool, {}), taking);
  };
  return options;
}

/// The evidence of a chain of three variables with 2, 3 and 4 states; all may be observed.
LaneProgram chainOfThree() {
  Model model;
  model.variables = {{"a", 2, {}}, {"b", 3, {}}, {"c", 4, {}}};
  const auto add = [&](const char *name, std::vector<VarId> scope) {
    auto values = std::make_shared<std::vector<double>>(scopeElems(model, scope));
    for (size_t e = 0; e < values->size(); ++e)
      (*values)[e] = 0.1 + 0.07 * static_cast<double>(e);
    model.factors.push_back({name, name, std::move(scope), std::move(values)});
  };
  add("f", {VarId{0}, VarId{1}});
  add("g", {VarId{1}, VarId{2}});
  Query query;
  query.name = "evidence";
  query.kind = QueryKind::Evidence;
  query.factors = {FactorId{0}, FactorId{1}};
  const CaseSchema schema{{{VarId{0}, 2}, {VarId{1}, 3}, {VarId{2}, 4}}, {}, {}};
  Diagnostics diagnostics;
  return Pipeline(PipelineOptions{}).planLanes(model, query, schema, diagnostics).program;
}

CaseBlock blockOf(const LaneProgram &program, uint32_t count) {
  CaseBlock block(program.schema, count);
  block.count = count;
  for (uint32_t c = 0; c < block.columns(); ++c)
    for (uint32_t i = 0; i < count; ++i)
      block.setCode(c, i, (i + c) % (program.schema.observed[c].extent + 1));
  return block;
}

/// A list with several queries takes a block back if the device of one has no room.
TEST(SendCases, CountsWhatIsAnsweredNotWhatIsSent) {
  const LaneProgram program = test::sumOfSquares(10);
  CaseRunner runner(program, onFakeDevice());
  const CaseBlock block = blockOf(program, 100);
  CaseAnswers answers;
  ASSERT_NE(runner.send(block, nullptr, answers), nullptr); // and is gone
  EXPECT_EQ(runner.counts().cases, 0u);
  EXPECT_TRUE(runner.send(block, nullptr, answers)->finish());
  EXPECT_EQ(runner.counts().cases, 100u);
  runner.run(block, answers);
  EXPECT_EQ(runner.counts().cases, 200u);
}

TEST(SendCases, RowsAreAnsweredAsBlocks) {
  const LaneProgram program = chainOfThree();
  const CaseBlock block = blockOf(program, 100);
  const test::RowsInMemory rows = test::RowsInMemory::of(program.schema, block);
  CaseAnswers expected;
  CaseRunner(program, {}).run(block, expected);
  for (const std::vector<uint32_t> &leaves :
       {std::vector<uint32_t>{}, std::vector<uint32_t>{0, 41, 69}}) {
    CaseRunner runner(program, onFakeDevice({false, leaves}));
    CaseBlock unread;
    unread.first = 30;
    unread.count = 70;
    CaseAnswers answers;
    ASSERT_TRUE(runner.send(unread, &rows, answers)->finish());
    for (uint32_t i = 0; i < 70; ++i) {
      const ScaledNumber found = answers.tables[0].at(i, 0),
                         wanted = expected.tables[0].at(30 + i, 0);
      EXPECT_NEAR(found.ln(), wanted.ln(), 1e-12) << i;
    }
    EXPECT_EQ(runner.counts().cases, 70u);
  }
}

TEST(SendCases, RefusedRowsAreNotAnswered) {
  const LaneProgram program = chainOfThree();
  const CaseBlock block = blockOf(program, 100);
  const test::RowsInMemory rows = test::RowsInMemory::of(program.schema, block);
  CaseRunner runner(program, onFakeDevice({true, {}}));
  CaseBlock unread;
  unread.count = 100;
  CaseAnswers answers;
  EXPECT_FALSE(runner.send(unread, &rows, answers)->finish());
  EXPECT_EQ(runner.counts().cases, 0u);
  EXPECT_EQ(CaseRunner(program, {}).send(unread, &rows, answers), nullptr); // no device
}

} // namespace
} // namespace mpf
