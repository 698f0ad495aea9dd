// The choice of steps to compile. Strips that run both kinds of steps give the answers of strips
// that run one kind.
#include "runtime/execute/lanes/compiled/choose_strips.h"

#include "codegen/lanes/lane_memory.h"
#include "runtime/compile/cpp_compiler.h"
#include "runtime/execute/lanes/cpu_lanes.h"
#include "runtime/execute/lanes/strip_memory.h"
#include "tests/unit/codegen/lanes/lane_programs.h"
#include "tests/unit/temporary_folder.h"

#include <algorithm>
#include <cmath>
#include <gtest/gtest.h>
#include <limits>
#include <memory>

namespace mpf {
namespace {

constexpr double kAll = std::numeric_limits<double>::infinity();

struct Problem {
  explicit Problem(LaneProgram given, ElementType of = ElementType::F64)
      : program(std::move(given)), common(test::commonOf(program)),
        plan(planLinear(program, common, of)),
        memory(planStripMemory(program, plan, of, 1, UINT64_MAX)), type(of) {}

  StripChoice choose(double expectedCases) const {
    return stripsToCompile(program, common, plan, type, memory, expectedCases);
  }

  const LaneProgram program;
  const CommonTables common;
  const LinearPlan plan;
  const StripMemory memory;
  const ElementType type;
};

LaneProgram randomProgram(uint64_t seed, size_t steps) {
  std::mt19937_64 random(seed);
  return test::randomLaneProgram(random, steps);
}

/// Entries of tables are from 1 to 2, and a step reads at most one late message. So no value
/// exceeds its type.
LaneProgram linearProgram(uint64_t seed, size_t steps) {
  std::mt19937_64 random(seed);
  test::LaneProgramBuilder builder;
  builder.values({1, 1.25, 1.5, 1.125, 1.75});
  for (size_t i = 0; i < steps; ++i) {
    const auto tables = static_cast<uint32_t>(builder.program.tables.size());
    const uint32_t message = builder.message(1 + random() % 5);
    std::vector<uint32_t> operands = {
        tables - 1 - static_cast<uint32_t>(random() % std::min<uint32_t>(tables, 4))};
    for (uint64_t count = random() % 3; count > 0; --count)
      operands.push_back(static_cast<uint32_t>(random() % std::min<uint32_t>(tables, 4)));
    if (random() % 3 == 0 && builder.program.tables[message].sizeElems == 1)
      builder.sum(message, operands.front());
    else
      builder.multiply(message, operands);
  }
  builder.output(static_cast<uint32_t>(builder.program.tables.size() - 1));
  planLaneMemory(builder.program);
  return std::move(builder.program);
}

size_t written(const StripChoice &choice) {
  return static_cast<size_t>(std::ranges::count(choice.isWritten, 1));
}

/// Returns a number of cases for which some steps are compiled, and some are not; 0: none was
/// found.
double mixingCases(const Problem &problem) {
  for (double cases = 1e5; cases < 1e10; cases *= 1.1)
    if (const size_t own = written(problem.choose(cases));
        own != 0 && own != problem.program.steps.size())
      return cases;
  return 0;
}

TEST(ChooseStrips, MoreStepsPayForMoreCases) {
  const Problem problem(randomProgram(1, 200));
  size_t last = 0, changes = 0;
  for (double cases = 1e5; cases < 1e10; cases *= 1.1) {
    const size_t now = written(problem.choose(cases));
    EXPECT_GE(now, last) << cases;
    changes += now != last ? 1 : 0;
    last = now;
  }
  EXPECT_EQ(written(problem.choose(0)), 0u);
  EXPECT_EQ(written(problem.choose(1e3)), 0u) << "a compiler takes longer";
  EXPECT_GE(changes, 2u);
  EXPECT_EQ(last, written(problem.choose(kAll)));
}

TEST(ChooseStrips, EveryWrittenStepIsInOneSegment) {
  const Problem problem(randomProgram(2, 500));
  for (const double cases : {1e7, kAll}) {
    const StripChoice choice = problem.choose(cases);
    std::vector<char> seen(choice.isWritten.size(), 0);
    for (const StripText &text : choice.texts) {
      EXPECT_GT(text.gainUs, text.compileUs);
      for (size_t s = 0; s < text.segments.size(); ++s) {
        EXPECT_NE(text.functions.find(fmt::format("MPF_STEPS({})", text.segments[s].first)),
                  std::string::npos);
        for (size_t i = text.segments[s].first; i < text.segments[s].end; ++i)
          ++seen[i];
      }
    }
    EXPECT_EQ(seen, choice.isWritten);
  }
}

TEST(ChooseStrips, TextsNameNothingOfTheProgram) {
  LaneProgram program = test::smallLaneProgram(QueryKind::Marginals);
  const Problem plain(program);
  program.name = "q */ \n#include \"x\"";
  for (LaneTable &table : program.tables)
    table.name = "\n#error";
  for (HeadVariable &variable : program.variables)
    variable.name = "\n#error";
  const StripChoice choice = Problem(program).choose(kAll), expected = plain.choose(kAll);
  ASSERT_EQ(choice.texts.size(), 1u);
  EXPECT_EQ(choice.texts.front().functions, expected.texts.front().functions);
  EXPECT_EQ(choice.texts.front().name, expected.texts.front().name);
}

TEST(CompiledStrips, MixedStepsHaveTheAnswersOfBuiltInOnes) {
  if (findCppCompiler().empty())
    GTEST_SKIP() << "there is no C++ compiler";
  const TemporaryFolder folder;
  size_t mixed = 0;
  for (const ElementType type : {ElementType::F64, ElementType::F32})
    for (uint64_t seed = 3; seed < 6; ++seed) {
      const Problem problem(linearProgram(seed, 200), type);
      ASSERT_TRUE(problem.plan.possible);
      ThreadPool pool(2);
      CaseBlock block(problem.program.schema, 100);
      block.count = 100;
      std::mt19937_64 random(seed);
      for (size_t column = 0; column < block.columns(); ++column)
        for (uint32_t i = 0; i < block.count; ++i)
          block.setCode(column, i,
                        static_cast<uint32_t>(
                            random() % (problem.program.schema.observed[column].extent + 1)));
      for (double &weight : block.weights())
        weight = static_cast<double>(random() % 1000) / 1000;
      const auto answer = [&](double cases, CaseAnswers &answers, std::vector<uint32_t> &left) {
        CpuLaneOptions options;
        options.own.expectedRuns = cases;
        options.own.cacheFolder = folder.path() + "/cache";
        shapeAnswers(problem.program, block.count, answers);
        makeCpuLanes(problem.program, problem.common, problem.plan, type, pool, options)
            ->run(block, answers, left);
      };
      CaseAnswers expected;
      std::vector<uint32_t> expectedLeft;
      answer(0, expected, expectedLeft);
      for (const double cases : {mixingCases(problem), kAll}) {
        const size_t own = written(problem.choose(cases));
        mixed += own != 0 && own != problem.program.steps.size() ? 1 : 0;
        CaseAnswers answers;
        std::vector<uint32_t> left;
        answer(cases, answers, left);
        EXPECT_EQ(left, expectedLeft);
        for (size_t t = 0; t < answers.tables.size(); ++t)
          for (uint32_t i = 0; i < block.count; ++i) {
            if (std::ranges::binary_search(left, i))
              continue;
            EXPECT_EQ(answers.tables[t].exponents[i], expected.tables[t].exponents[i]);
            for (size_t e = 0; e < answers.tables[t].size; ++e) {
              const double right = expected.tables[t].entries[i * answers.tables[t].size + e];
              EXPECT_NEAR(answers.tables[t].entries[i * answers.tables[t].size + e], right,
                          std::abs(right) * (type == ElementType::F32 ? 1e-5 : 1e-12));
            }
          }
      }
    }
  EXPECT_GT(mixed, 0u);
}

} // namespace
} // namespace mpf
