// Lanes on the CPU and the memory bound.
#include "runtime/execute/lanes/cpu_lanes.h"

#include "runtime/execute/lanes/case_runner.h"
#include "tests/unit/codegen/lanes/lane_programs.h"

#include <functional>
#include <gtest/gtest.h>

namespace mpf {
namespace {

bool refuses(const std::function<void()> &call) {
  try {
    call();
  } catch (const Error &error) {
    EXPECT_EQ(error.kind(), ErrorKind::MemoryBound) << error.what();
    return true;
  }
  return false;
}

TEST(CpuLanes, FewerWorkersWorkWhereNotAllFit) {
  const LaneProgram program = test::sumOfSquares(1000);
  const CommonTables common = test::commonOf(program);
  const LinearPlan plan = planLinear(program, common, ElementType::F64);
  ThreadPool pool(4);
  const auto make = [&](uint64_t maxBytes) {
    return makeCpuLanes(program, common, plan, ElementType::F64, pool, {.maxBytes = maxBytes});
  };
  const std::unique_ptr<LaneExecutor> whole = make(UINT64_MAX);
  const uint64_t all = whole->allocatedBytes(), strip = whole->casesAtOnce() / 4;
  EXPECT_GT(strip, 0u);
  EXPECT_EQ(make(all)->allocatedBytes(), all);
  uint64_t last = all;
  for (size_t workers = pool.threadCount() - 1; workers > 0; --workers) {
    const std::unique_ptr<LaneExecutor> fewer = make(last - 1);
    EXPECT_LT(fewer->allocatedBytes(), last);
    last = fewer->allocatedBytes();
    EXPECT_EQ(fewer->casesAtOnce(), workers * strip) << "those that work, not those that might";
    CaseBlock block(program.schema, 1000);
    block.count = 1000;
    CaseAnswers answers;
    std::vector<uint32_t> left;
    shapeAnswers(program, block.count, answers);
    fewer->run(block, answers, left);
    EXPECT_TRUE(left.empty());
    for (const uint32_t i : {0u, 31u, 32u, 999u})
      EXPECT_EQ(answers.tables[0].at(i).value().value(), 250);
  }
  EXPECT_TRUE(refuses([&] { make(last / 16); }));
}

TEST(CaseRunner, TheBoundHoldsForAllOfIt) {
  LaneProgram program = test::sumOfSquares(1000);
  program.type = ElementType::F32;
  const auto run = [&](uint64_t maxBytes) {
    CaseRunnerOptions options;
    options.maxBytes = maxBytes;
    CaseRunner runner(program, options);
    runner.deviceName();
    return runner.allocatedBytes();
  };
  const uint64_t whole = run(UINT64_MAX);
  EXPECT_TRUE(refuses([&] { run(1 << 14); })); // 1000 wide numbers take 16 KiB
  // The first of two levels leaves twice its share to the second.
  EXPECT_TRUE(refuses([&] { run(whole); }));
  EXPECT_EQ(run(8 * whole), whole);
}

TEST(CpuLanes, StepsAreMeasuredWhereThatIsAskedFor) {
  const LaneProgram program = test::sumOfSquares(1000);
  for (const bool profile : {false, true}) {
    CaseRunnerOptions options;
    options.profile = profile;
    CaseRunner runner(program, options);
    CaseBlock block(program.schema, 100);
    block.count = 100;
    CaseAnswers answers;
    runner.run(block, answers);
    const std::vector<double> seconds = runner.stepSeconds();
    ASSERT_EQ(seconds.size(), profile ? program.steps.size() : 0);
    for (const double one : seconds)
      EXPECT_GT(one, 0);
  }
}

} // namespace
} // namespace mpf
