// Lanes on the CPU and the memory bound.
#include "runtime/execute/lanes/cpu_lanes.h"

#include "runtime/execute/lanes/case_runner.h"
#include "runtime/execute/lanes/strip_memory.h"
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

/// The planned bytes of lanes on the CPU.
uint64_t laneBytes(const LaneProgram &program, const LinearPlan &plan, ElementType type,
                   size_t threads, uint64_t maxBytes = UINT64_MAX) {
  const StripMemory memory = planStripMemory(program, plan, type, threads, maxBytes);
  return memory.sharedBytes + memory.workers * memory.workerBytes;
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
  const auto bytes = [&](uint64_t maxBytes) {
    return laneBytes(program, plan, ElementType::F64, pool.threadCount(), maxBytes);
  };
  const uint64_t all = bytes(UINT64_MAX), strip = whole->casesAtOnce() / 4;
  EXPECT_GT(strip, 0u);
  EXPECT_EQ(make(all)->casesAtOnce(), whole->casesAtOnce());
  uint64_t last = all;
  for (size_t workers = pool.threadCount() - 1; workers > 0; --workers) {
    const std::unique_ptr<LaneExecutor> fewer = make(last - 1);
    EXPECT_LT(bytes(last - 1), last);
    last = bytes(last - 1);
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
    return runner.casesAtOnce();
  };
  const LinearPlan plan = planLinear(program, test::commonOf(program), ElementType::F32);
  const uint64_t whole = laneBytes(program, plan, ElementType::F32, 1);
  EXPECT_TRUE(refuses([&] { run(1 << 14); })); // 1000 wide numbers take 16 KiB
  // The first of two levels leaves twice its share to the second.
  EXPECT_TRUE(refuses([&] { run(whole); }));
  EXPECT_EQ(run(8 * whole), run(UINT64_MAX));
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
