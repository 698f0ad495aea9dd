#include "dsl/formats/result_file.h"

#include <cmath>
#include <gtest/gtest.h>

using namespace mpf;

namespace {

ResultFile readResults(std::string text) {
  Diagnostics diagnostics;
  const auto buffer = std::make_shared<const SourceBuffer>("r", std::move(text));
  const auto result = readResult(buffer, diagnostics);
  EXPECT_EQ(result.has_value(), !diagnostics.hasErrors());
  EXPECT_TRUE(result) << renderDiagnostics(diagnostics);
  return result.value_or(ResultFile());
}

} // namespace

TEST(ResultFile, ReadsBackWhatItWrites) {
  for (const char *text :
       {"PR\n-974.0625\n", "PR\n-inf\n", "MAR\n2 2 0.1 0.9 3 0.2 0.3 0.5\n", "MAR\n1 1 1\n",
        "MAR\n0\n", "MPE\n3 0 1 0\n", "MPE\n0\n", "MMAP\n2 4 0 0 1\n", "MMAP\n0\n"})
    EXPECT_EQ(formatResult(readResults(text)), text);
}

TEST(ResultFile, LastSolutionCounts) {
  EXPECT_EQ(readResults("PR\n-5\n-BEGIN-\n-4.5\n-BEGIN-\n-4\n").log10Value, -4);
  EXPECT_EQ(readResults("MPE\n-BEGIN-\n2 0 1\n-BEGIN-\n2 1 1\n").solutions,
            (std::vector<std::vector<uint32_t>>{{1, 1}}));
}

TEST(ResultFile, WritesTheSolutionThatCountsLast) {
  ResultFile file;
  file.task = UaiTask::Mpe;
  file.solutions = {{0, 1}, {1, 1}};
  EXPECT_EQ(formatResult(file), "MPE\n2 0 1\n-BEGIN-\n2 1 1\n");
  EXPECT_EQ(readResults(formatResult(file)).solutions.at(0), file.solutions.back());
}

TEST(ResultFile, DialectWithANumberOfSamples) {
  EXPECT_EQ(readResults("PR\n1\n-3.5\n").log10Value, -3.5);
  EXPECT_EQ(readResults("PR\n1\n").log10Value, 1);
  EXPECT_EQ(readResults("MAR\n1\n2 2 0.1 0.9 1 1\n").marginals.size(), 2u);
  EXPECT_EQ(readResults("MPE\n1\n3 0 1 0\n").solutions.back().size(), 3u);
  EXPECT_EQ(readResults("MAP 3 0 1 0").task, UaiTask::Mpe);
}

TEST(ResultFile, ImpossibleIsMinusInfinity) {
  EXPECT_EQ(readResults("PR\n-Inf\n").log10Value, -HUGE_VAL);
  EXPECT_EQ(formatResult(ResultFile{UaiTask::Pr, -HUGE_VAL, {}, {}, {}}), "PR\n-inf\n");
}
