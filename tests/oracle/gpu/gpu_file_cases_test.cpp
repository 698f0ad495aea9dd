// Tests entries of `input` tables from the rows of a file, answered on a GPU.
#include "runtime/machine/gpu_backend.h"
#include "tests/oracle/file_trials.h"
#include "tests/oracle/lane_trials.h"
#include "tests/support/trials.h"

#include <fmt/format.h>
#include <gtest/gtest.h>

namespace mpf::oracle {
namespace {

/// Lanes answer the query if they can, else tables or single runs do; the latter do in the second
/// round.
TEST(GpuFileCases, EachHasTheAnswerByTheDefinition) {
  if (!gpuBackendUnavailable().empty())
    GTEST_SKIP() << gpuBackendUnavailable();
  std::mt19937_64 random(47);
  for (const auto &[isLog, models, tolerance] :
       {std::tuple(false, 60, 1e-12), std::tuple(true, 15, 1e-11)}) {
    LaneJudge judge(tolerance);
    for (int number = 0; number < trials(models) && !HasFatalFailure(); ++number) {
      SCOPED_TRACE(fmt::format("{}, model {}", isLog ? "log" : "linear", number));
      const FileTrial trial = randomFileTrial(random, number);
      const FileCases read = readFileTrial(trial);
      try {
        const CaseProgram program =
            programOf(trial, read.schema, {.forcedLog = isLog, .device = "gpu"});
        CaseSession session(program, {.device = "gpu"});
        CaseAnswers answers;
        session.run(read.block, answers);
        judge.compare(trial.model, trial.query, read.schema, read.block, answers);
      } catch (const Error &error) {
        ASSERT_EQ(error.kind(), ErrorKind::Unsupported) << error.what();
      }
    }
    EXPECT_GT(judge.compared(), 0u);
  }
}

/// Counts are exact, and numbers that are not whole are refused as on the CPU.
TEST(GpuFileCases, CountsAreThoseOfTheCpu) {
  if (!gpuBackendUnavailable().empty())
    GTEST_SKIP() << gpuBackendUnavailable();
  const CaseProgram program =
      compileCasesText("var a, b, c : 3\nfactor f(a, b) = 1\nfactor g(b, c) = 1 + b * c\n"
                       "query n : u64 = sum() f * g\n",
                       {.observable = {"c"}, .tables = {"f"}}, {.query = "n", .device = "gpu"});
  constexpr uint32_t kCases = 500;
  CaseBlock block = program.block(kCases);
  block.count = kCases;
  std::mt19937_64 random(48);
  for (double &entry : block.weights())
    entry = static_cast<double>(random() % 1000);
  for (uint32_t i = 0; i < kCases; i += 2)
    program.observe(block, i, "c", static_cast<uint32_t>(random() % 3));
  CaseSession onGpu(program, {.device = "gpu"}), onCpu(program, {.device = "cpu"});
  CaseAnswers found, right;
  onGpu.run(block, found);
  onCpu.run(block, right);
  for (uint32_t i = 0; i < kCases; ++i)
    ASSERT_EQ(found.tables.front().at(i).value(), right.tables.front().at(i).value()) << i;
  block.weights()[7] = 0.5;
  try {
    onGpu.run(block, found);
    FAIL() << "0.5 is no whole number";
  } catch (const Error &error) {
    EXPECT_EQ(error.kind(), ErrorKind::Usage) << error.what();
  }
}

} // namespace
} // namespace mpf::oracle
