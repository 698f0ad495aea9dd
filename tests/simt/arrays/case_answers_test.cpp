// The kernel that writes answers into arrays of a host program, in the checker: they are those that
// the definition gives.
#include "runtime/execute/gpu/lanes/gpu_case_arrays.h"
#include "tests/simt/hand_lanes.h"
#include "tests/simt/launch_program.h"

#include <cmath>
#include <gtest/gtest.h>
#include <limits>

namespace mpf::simt {
namespace {

TEST(WrittenAnswers, AreTheValuesOfResults) {
  constexpr uint32_t kCount = 6;
  constexpr double kMissing = std::numeric_limits<double>::quiet_NaN();
  constexpr double kEndless = std::numeric_limits<double>::infinity();
  // Rows: evidence, then two entries of a posterior.
  std::vector<double> results = {0.5, 0, kMissing, 0.25, 1e-300, 2, // evidence
                                 1,   0, 5,        1,    3,      kEndless, 3, 0, 5, 1e-310, 1, 1};
  std::vector<int32_t> exponents = {1, 0, 0, -2, -4000, 0};
  std::vector<uint32_t> states = {0, 9, 9, 1, 2, 1};
  std::vector<uint8_t> flags = {0, 0, 0, 1, 0, 0};
  std::vector<uint64_t> counts = {0, 0};
  std::vector<double> logs(kCount, -9), values(kCount, -9), posterior(2 * kCount + 6, -9),
      shareLogs(3 * kCount, -9);
  std::vector<int32_t> best(2 * kCount, -9);
  std::vector<GpuAnswerLaunch> launch(1);
  launch[0].pitch = kCount;
  launch[0].count = kCount;
  launch[0].tableCount = 6;
  launch[0].isDouble = 1;
  launch[0].tableBlocks = 1;
  launch[0].tables[0] = {0, 1, 0, 3, 1, GpuCaseTable::Log, 0, 0};
  launch[0].tables[1] = {0, 1, 0, 3, 1, GpuCaseTable::Value, 0, 0};
  launch[0].tables[2] = {0, 3, 1, 0, 2, GpuCaseTable::Posterior, -1, 1, 0};
  launch[0].tables[3] = {0, 2, 0, 0, 1, GpuCaseTable::States, -1, 0};
  launch[0].tables[4] = {4, 2, 0, 5, 1, GpuCaseTable::Fill, -1, 0};
  launch[0].tables[5] = {0, 3, 1, 0, 2, GpuCaseTable::Posterior, -1, 1, 0, 1};
  std::vector<Buffer> buffers = {{"launch", bytesOf(launch), false, true},
                                 {"results", bytesOf(results), false, true},
                                 {"exponents", bytesOf(exponents), false, true},
                                 {"states", bytesOf(states), false, true},
                                 {"flags", bytesOf(flags), true},
                                 {"counts", bytesOf(counts)},
                                 {"logs", bytesOf(logs)},
                                 {"values", bytesOf(values)},
                                 {"posterior", bytesOf(posterior)},
                                 {"best", bytesOf(best)},
                                 {"shareLogs", bytesOf(shareLogs)}};
  std::vector<PointerPlace> pointers;
  for (size_t p = 0; p < 5; ++p)
    pointers.push_back({0, p * sizeof(uint64_t), p + 1});
  constexpr size_t kTables = offsetof(GpuAnswerLaunch, tables);
  for (size_t t = 0; t < 4; ++t)
    pointers.push_back({0, kTables + t * sizeof(GpuCaseTable), 6 + t});
  pointers.push_back({0, kTables + 4 * sizeof(GpuCaseTable), 9});
  pointers.push_back({0, kTables + 5 * sizeof(GpuCaseTable), 10});
  static const LaunchEntry kKernels[] = {{"mpf_write_answers", "MpfAnswerLaunch"}};
  const std::unique_ptr<Program> program = makeLaunchProgram(caseArraysSource(), kKernels);
  Launch shape;
  shape.gridBlocks = 6;
  shape.blockThreads = kCaseThreads;
  shape.pointers = pointers;
  const std::vector<Argument> arguments = {Argument::buffer(0)};
  EXPECT_EQ(program->run("test_mpf_write_answers", shape, buffers, arguments).faultText(), "");

  const auto expectEqual = [](double found, double expected, size_t i) {
    if (std::isnan(expected))
      EXPECT_TRUE(std::isnan(found)) << i;
    else
      EXPECT_DOUBLE_EQ(found, expected) << i;
  };
  const double ln2 = std::log(2);
  const std::vector<double> ln = {
      3 * ln2, -kEndless, kMissing, kMissing, std::log(1e-300) - 3997 * ln2, 4 * ln2};
  const std::vector<double> scaled = {8, 0, kMissing, kMissing, 0, 16};
  const std::vector<double> shares = {0.25,     0.75,     kMissing, kMissing, kMissing, kMissing,
                                      kMissing, kMissing, 0.75,     0.25,     kMissing, kMissing};
  for (size_t i = 0; i < kCount; ++i) {
    expectEqual(logs[i], ln[i], i);
    expectEqual(values[i], scaled[i], i);
    for (size_t e = 0; e < 2; ++e) {
      expectEqual(posterior[3 * i + e], shares[2 * i + e], i);
      expectEqual(shareLogs[3 * i + e], std::log(shares[2 * i + e]), i);
    }
    EXPECT_EQ(best[2 * i], i == 0 || i >= 4 ? static_cast<int32_t>(states[i]) : -1) << i;
  }
  EXPECT_EQ(counts, std::vector<uint64_t>({0, 3})) << "a NaN, and an infinite result in two tables";
}

/// Values and posteriors that a host program wants as logarithms are written as such.
TEST(WrittenAnswers, AreLogarithmsWhereTheyAreWanted) {
  const LaneProgram program = productOfOnes(1);
  const CommonTables common(program);
  const LinearPlan plan = planLinear(program, common, ElementType::F64);
  DeviceCaseLayout layout;
  layout.tables.resize(2);
  layout.tables[0].rows = layout.tables[1].rows = 4;
  layout.tables[1].isPosterior = true;
  for (const bool isLogarithm : {false, true}) {
    DeviceCaseArrays arrays{.count = 1};
    arrays.tables = {{0, 8, 4, isLogarithm}, {1, 8, 4, isLogarithm}};
    const std::vector<GpuCaseTable> tables = writtenTables(arrays, program, plan, layout);
    EXPECT_EQ(tables[0].kind, isLogarithm ? GpuCaseTable::Log : GpuCaseTable::Value);
    EXPECT_EQ(tables[1].kind, GpuCaseTable::Posterior);
    EXPECT_EQ(tables[1].isLog, isLogarithm ? 1 : 0);
  }
}

} // namespace
} // namespace mpf::simt
