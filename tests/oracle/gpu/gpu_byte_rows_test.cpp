// Tests rows of bytes that a GPU transposes and checks. Answers have the bits of blocks that the
// host packs, and invalid rows are refused.
#include "codegen/pipeline/pipeline.h"
#include "runtime/choose/jit_lanes.h"
#include "runtime/execute/lanes/case_runner.h"
#include "runtime/execute/lanes/sent/sent_rows.h"
#include "tests/oracle/models/random_models.h"
#include "tests/support/rows_in_memory.h"

#include <gtest/gtest.h>
#include <memory>
#include <optional>
#include <thread>
#include <tuple>
#include <vector>

namespace mpf::oracle {
namespace {

/// A random model of which all variables may be observed, on the GPU.
struct RowsOnGpu {
  explicit RowsOnGpu(QueryKind kind, uint64_t seed) : random(seed) {
    const Model model = randomModel(random, {});
    const Query query = randomQuery(random, model, kind);
    CaseSchema schema;
    for (size_t v = 0; v < model.variables.size(); ++v)
      if (!model.evidence.observes(VarId{v}))
        schema.observed.push_back({VarId{v}, model.variables[v].extent});
    Diagnostics diagnostics;
    plan = Pipeline(PipelineOptions{}).planLanes(model, query, schema, diagnostics);
    SessionOptions session;
    session.device = "gpu";
    session.threads = 4;
    try {
      runner =
          std::make_unique<CaseRunner>(plan.program, laneRunnerOptions(session, DeviceKind::Gpu));
      runner->deviceName();
    } catch (const Error &error) {
      lack = error.what();
    }
  }

  CaseBlock drawBlock(uint32_t count) {
    CaseBlock block(plan.program.schema, count);
    block.count = count;
    for (size_t c = 0; c < block.columns(); ++c)
      for (uint32_t i = 0; i < count; ++i) {
        const uint32_t extent = plan.program.schema.observed[c].extent;
        block.setCode(c, i, static_cast<uint32_t>(random() % (extent + 1)));
      }
    return block;
  }

  std::mt19937_64 random;
  LanePlan plan;
  std::unique_ptr<CaseRunner> runner;
  std::string lack; ///< reason why there is no GPU
};

/// The kind of query, and the byte from which on columns of even numbers are not observed. Rows are
/// packed if all columns use the same byte for that.
using Asked = std::tuple<QueryKind, uint32_t>;

class GpuByteRows : public testing::TestWithParam<Asked> {
protected:
  static QueryKind kind() { return std::get<0>(GetParam()); }
  static test::RowsInMemory rowsOf(const RowsOnGpu &gpu, const CaseBlock &block) {
    return test::RowsInMemory::of(gpu.plan.program.schema, block, evenNone());
  }
  static uint32_t evenNone() { return std::get<1>(GetParam()); }
};

TEST_P(GpuByteRows, AreAnsweredLikeBlocks) {
  RowsOnGpu gpu(kind(), 5);
  if (!gpu.lack.empty())
    GTEST_SKIP() << gpu.lack;
  const CaseBlock all = gpu.drawBlock(200'000);
  const test::RowsInMemory rows = rowsOf(gpu, all);
  ASSERT_EQ(sentCodeBits(rows), evenNone() == 255 ? 4u : 8u);
  CaseAnswers expected;
  gpu.runner->run(all, expected);
  const auto work = [&](uint64_t first, uint32_t count) {
    CaseBlock unread;
    unread.first = first;
    unread.count = count;
    CaseAnswers answers;
    std::unique_ptr<SentBlock> sent;
    while (sent == nullptr) // until there is room
      sent = gpu.runner->send(unread, &rows, answers);
    ASSERT_TRUE(sent->finish());
    for (size_t t = 0; t < answers.tables.size(); ++t) {
      const CaseTable &found = answers.tables[t], &wanted = expected.tables[t];
      for (uint32_t i = 0; i < count; ++i) {
        ASSERT_EQ(found.exponents[i], wanted.exponents[first + i]) << found.name << ", " << i;
        for (size_t e = 0; e < found.size; ++e)
          ASSERT_EQ(found.entries[i * found.size + e], wanted.entries[(first + i) * found.size + e])
              << found.name << ", " << i;
      }
    }
  };
  for (int round = 0; round < 3; ++round) {
    std::vector<std::thread> callers;
    callers.emplace_back(work, 0, 200'000);
    callers.emplace_back(work, 77, 131'072);
    callers.emplace_back(work, 100'000, 65'537);
    callers.emplace_back(work, 199'000, 1000); // small ones too
    callers.emplace_back(work, 150'000, 20'001);
    callers.emplace_back(work, 3, 84'480);
    callers.emplace_back(work, 199'999, 1);
    for (std::thread &caller : callers)
      caller.join();
  }
}

TEST_P(GpuByteRows, AreRefusedWhereAByteSaysNothing) {
  RowsOnGpu gpu(kind(), 7); // of several variables
  if (!gpu.lack.empty())
    GTEST_SKIP() << gpu.lack;
  const CaseBlock all = gpu.drawBlock(150'000);
  test::RowsInMemory rows = rowsOf(gpu, all);
  ASSERT_EQ(sentCodeBits(rows), evenNone() == 255 ? 4u : 8u);
  CaseAnswers answers;
  gpu.runner->run(all, answers); // now parts are made
  const auto isAnswered = [&](uint64_t first, uint32_t count) {
    CaseBlock unread;
    unread.first = first;
    unread.count = count;
    const std::unique_ptr<SentBlock> sent = gpu.runner->send(unread, &rows, answers);
    EXPECT_NE(sent, nullptr);
    return sent != nullptr && sent->finish();
  };
  EXPECT_TRUE(isAnswered(0, 150'000));
  // The first code fits half a byte, so only the device can find it.
  // Its column is at place 0.
  const uint32_t extent = gpu.plan.program.schema.observed.back().extent;
  for (const uint32_t bad : {extent, 200u}) {
    rows.at(100'001, 0) = std::byte(bad);
    EXPECT_FALSE(isAnswered(0, 150'000)) << bad;
    EXPECT_FALSE(isAnswered(100'001, 1)) << bad;
    EXPECT_TRUE(isAnswered(0, 100'001)) << bad;
  }
  EXPECT_TRUE(isAnswered(100'002, 49'998));
  EXPECT_FALSE(isAnswered(100'002, 49'999)); // the rows end before
}

INSTANTIATE_TEST_SUITE_P(Kinds, GpuByteRows,
                         testing::Combine(testing::Values(QueryKind::Evidence, QueryKind::Marginals,
                                                          QueryKind::Mpe),
                                          testing::Values(255u, 250u)));

} // namespace
} // namespace mpf::oracle
