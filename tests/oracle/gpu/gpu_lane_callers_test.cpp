// Tests that several threads can have blocks of cases answered by one GPU at once. Each gets the
// bits that it gets alone, and the CPU's answers.
#include "codegen/pipeline/pipeline.h"
#include "runtime/choose/jit_lanes.h"
#include "runtime/execute/lanes/case_runner.h"
#include "tests/oracle/models/random_cases.h"
#include "tests/oracle/models/random_models.h"

#include <atomic>
#include <cmath>
#include <gtest/gtest.h>
#include <memory>
#include <thread>
#include <vector>

namespace mpf::oracle {
namespace {

/// Random codes for `count` cases, a third of which are not observed.
CaseBlock largeBlock(std::mt19937_64 &random, const CaseSchema &schema, uint32_t count) {
  CaseBlock block(schema, count + 7);
  block.count = count;
  for (size_t c = 0; c < schema.observed.size(); ++c)
    for (uint32_t i = 0; i < count; ++i) {
      const uint32_t extent = schema.observed[c].extent;
      block.setCode(c, i, random() % 3 == 0 ? extent : static_cast<uint32_t>(random() % extent));
    }
  for (double &weight : block.weights())
    weight = static_cast<double>(random() % 8 + 1) / 8;
  return block;
}

void expectSameBits(const CaseAnswers &a, const CaseAnswers &b) {
  ASSERT_EQ(a.count, b.count);
  ASSERT_EQ(a.tables.size(), b.tables.size());
  for (size_t t = 0; t < a.tables.size(); ++t) {
    EXPECT_TRUE(a.tables[t].entries == b.tables[t].entries) << a.tables[t].name;
    EXPECT_TRUE(a.tables[t].exponents == b.tables[t].exponents) << a.tables[t].name;
  }
  EXPECT_TRUE(a.states == b.states);
}

void expectSameNumbers(const CaseAnswers &a, const CaseAnswers &b) {
  for (size_t t = 0; t < a.tables.size(); ++t)
    for (uint32_t i = 0; i < a.count; ++i)
      for (size_t e = 0; e < a.tables[t].size; ++e) {
        const ScaledNumber x = a.tables[t].at(i, e), y = b.tables[t].at(i, e);
        ASSERT_NEAR(x.mantissa, std::ldexp(y.mantissa, static_cast<int>(y.exponent - x.exponent)),
                    1e-11)
            << a.tables[t].name << ", case " << i;
      }
}

/// Each thread has two blocks in flight, finishes some, and drops others.
void expectSentAreTheSame(CaseRunner &runner, const std::vector<CaseBlock> &blocks,
                          const std::vector<CaseAnswers> &alone) {
  std::atomic<int> sent{0};
  const auto work = [&](size_t offset) {
    for (size_t i = 0; i + 1 < blocks.size(); ++i) {
      const size_t first = (i + offset) % blocks.size(), second = (first + 1) % blocks.size();
      CaseAnswers answers[2];
      const std::unique_ptr<SentBlock> one = runner.send(blocks[first], nullptr, answers[0]),
                                       other = runner.send(blocks[second], nullptr, answers[1]);
      sent += (one != nullptr) + (other != nullptr);
      if (one != nullptr) {
        one->finish();
        expectSameBits(answers[0], alone[first]);
      }
      if (other != nullptr && i % 3 != 0) {
        other->finish();
        expectSameBits(answers[1], alone[second]);
      }
    }
  };
  std::vector<std::thread> callers;
  for (size_t offset = 0; offset < 3; ++offset)
    callers.emplace_back(work, offset);
  for (std::thread &caller : callers)
    caller.join();
  EXPECT_GT(sent, 0);
  CaseAnswers again;
  runner.run(blocks.front(), again);
  expectSameBits(again, alone.front());
}

class GpuLaneCallers : public testing::TestWithParam<QueryKind> {};

TEST_P(GpuLaneCallers, GetWhatTheyGetAlone) {
  std::mt19937_64 random(61);
  const Model model = randomModel(random, {});
  const Query query = randomQuery(random, model, GetParam());
  const CaseSchema schema = randomSchema(random, model, query);
  PipelineOptions options;
  Diagnostics diagnostics;
  const LanePlan plan = Pipeline(options).planLanes(model, query, schema, diagnostics);
  SessionOptions session;
  session.device = "gpu";
  session.threads = 4;
  std::optional<CaseRunner> runner;
  try {
    runner.emplace(plan.program, laneRunnerOptions(session, DeviceKind::Gpu));
    runner->deviceName();
  } catch (const Error &error) {
    GTEST_SKIP() << error.what();
  }
  // Whole parts, more than one, pieces of one; some go as a whole before there are parts.
  const std::vector<uint32_t> counts = {1000, 65'536, 200'000, 65'537, 131'071, 1, 70'000};
  std::vector<CaseBlock> blocks;
  std::vector<CaseAnswers> alone(counts.size()), found(counts.size());
  for (const uint32_t count : counts)
    blocks.push_back(largeBlock(random, schema, count));
  for (size_t i = 0; i < blocks.size(); ++i)
    runner->run(blocks[i], alone[i]);
  for (int round = 0; round < 5; ++round) {
    std::vector<std::thread> callers;
    for (size_t i = 0; i < blocks.size(); ++i)
      callers.emplace_back([&, i] { runner->run(blocks[i], found[i]); });
    for (std::thread &caller : callers)
      caller.join();
    for (size_t i = 0; i < blocks.size(); ++i)
      expectSameBits(found[i], alone[i]);
  }
  expectSentAreTheSame(*runner, blocks, alone);
  CaseRunner cpu(plan.program, {4});
  CaseAnswers expected;
  cpu.run(blocks.front(), expected);
  expectSameNumbers(found.front(), expected);
}

INSTANTIATE_TEST_SUITE_P(Kinds, GpuLaneCallers,
                         testing::Values(QueryKind::Evidence, QueryKind::Marginals,
                                         QueryKind::Mpe));

} // namespace
} // namespace mpf::oracle
