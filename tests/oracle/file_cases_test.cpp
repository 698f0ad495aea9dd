// Tests entries of `input` tables from the rows of a file. Every case has the answer by the
// definition, and that of its single run, from every engine.
#include "tests/oracle/file_trials.h"

#include "dsl/model/print/print_mpf.h"
#include "tests/oracle/lane_trials.h"
#include "tests/support/trials.h"

#include <algorithm>
#include <cmath>
#include <gtest/gtest.h>

namespace mpf::oracle {
namespace {

struct FileRun {
  const char *name;
  CompileOptions options;
  int models;
  double tolerance;
};

class FileCasesOfModels : public testing::TestWithParam<FileRun> {};

/// The reader returns the cases that were written, for any notation and order of columns.
void compareBlocks(const FileTrial &trial, const FileCases &read) {
  ASSERT_EQ(read.block.count, trial.block.count) << trial.csv;
  ASSERT_EQ(read.schema.weightCount(), trial.schema.weightCount()) << trial.csv;
  for (size_t t = 0; t < read.schema.tables.size(); ++t) {
    const auto meant = std::ranges::find(trial.schema.tables, read.schema.tables[t].factors,
                                         &VaryingTable::factors);
    ASSERT_NE(meant, trial.schema.tables.end());
    const auto place = static_cast<size_t>(meant - trial.schema.tables.begin());
    const size_t from = trial.schema.firstWeight(trial.schema.likelihoods.size() + place),
                 to = read.schema.firstWeight(read.schema.likelihoods.size() + t);
    for (uint64_t entry = 0; entry < meant->sizeElems; ++entry)
      for (uint32_t i = 0; i < trial.block.count; ++i)
        ASSERT_EQ(read.block.weights()[(to + entry) * read.block.pitch() + i],
                  trial.block.weights()[(from + entry) * trial.block.pitch() + i])
            << "entry " << entry << " of table " << t << ", case " << i << "\n"
            << trial.csv;
  }
}

TEST_P(FileCasesOfModels, EachHasTheAnswerByTheDefinition) {
  std::mt19937_64 random(41);
  LaneJudge judge(GetParam().tolerance);
  size_t tables = 0;
  int unsupported = 0;
  const int models = trials(GetParam().models);
  for (int number = 0; number < models && !HasFatalFailure(); ++number) {
    SCOPED_TRACE(fmt::format("model {}", number));
    const FileTrial trial = randomFileTrial(random, number);
    const FileCases read = readFileTrial(trial);
    ASSERT_NO_FATAL_FAILURE(compareBlocks(trial, read));
    tables += read.schema.tables.size();
    try {
      const CaseProgram program = programOf(trial, read.schema, GetParam().options);
      CaseSession session(program, {.device = "cpu", .threads = 1});
      CaseAnswers answers;
      session.run(read.block, answers);
      judge.compare(trial.model, trial.query, read.schema, read.block, answers);
    } catch (const Error &error) {
      ASSERT_EQ(error.kind(), ErrorKind::Unsupported) << error.what() << printMpf(trial.model);
      ++unsupported;
    }
  }
  EXPECT_GT(tables, static_cast<size_t>(models));
  EXPECT_GT(judge.compared(), static_cast<size_t>(models));
  EXPECT_LT(unsupported, models / 4);
}

INSTANTIATE_TEST_SUITE_P(Runs, FileCasesOfModels,
                         testing::Values(FileRun{"Any", {}, 400, 1e-12},
                                         FileRun{"F32", {.type = "f32"}, 200, 1e-5},
                                         FileRun{"Log", {.forcedLog = true}, 100, 1e-11}),
                         [](const auto &run) { return std::string(run.param.name); });

/// Compares the probability of the evidence with that of a session that binds the tables of one
/// case after the other.
TEST(FileCases, EachHasTheAnswerOfItsSingleRun) {
  std::mt19937_64 random(43);
  size_t compared = 0;
  for (int number = 0; number < trials(60) && !testing::Test::HasFatalFailure(); ++number) {
    FileTrial trial = randomFileTrial(random, number * 4); // the probability of the evidence
    if (!trial.schema.likelihoods.empty())
      continue;
    const FileCases read = readFileTrial(trial);
    CaseSession many(programOf(trial, read.schema, {}), {.device = "cpu", .threads = 1});
    CaseAnswers answers;
    many.run(read.block, answers);
    Session single(compileText(printMpf(trial.model)), {.device = "cpu", .threads = 1});
    for (uint32_t i = 0; i < read.block.count; ++i) {
      for (size_t t = 0; t < read.schema.tables.size(); ++t) {
        std::vector<double> entries;
        const size_t first = read.schema.firstWeight(read.schema.likelihoods.size() + t);
        for (uint64_t entry = 0; entry < read.schema.tables[t].sizeElems; ++entry)
          entries.push_back(read.block.weights()[(first + entry) * read.block.pitch() + i]);
        single.bind(trial.model.factor(read.schema.tables[t].factors.front()).name, entries);
      }
      Query query = trial.query;
      const Model ofCase = modelOfCase(trial.model, query, read.schema, read.block, i);
      const bool isObserving =
          std::ranges::any_of(read.schema.observed, [&](const CaseVariable &column) {
            return ofCase.evidence.observes(column.variable);
          });
      if (isObserving)
        continue; // single programs observe the variables that they are compiled for
      ++compared;
      const double expected = single.run().tables.front().at(0).value().value_or(0);
      ASSERT_NEAR(answers.tables.front().at(i).value().value_or(0), expected,
                  1e-12 * std::abs(expected))
          << "model " << number << ", case " << i;
    }
  }
  EXPECT_GT(compared, trials(30u));
}

} // namespace
} // namespace mpf::oracle
