// Entries of `input` tables from the rows of a file, answered on a GPU.
#include "runtime/api/gpu_backend.h"
#include "tests/oracle/file_trials.h"
#include "tests/oracle/lane_trials.h"
#include "tests/support/trials.h"

#include <fmt/format.h>
#include <gtest/gtest.h>

namespace mpf::oracle {
namespace {

/// By lanes where these answer the query, else by tables or single runs; the second round by those.
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

} // namespace
} // namespace mpf::oracle
