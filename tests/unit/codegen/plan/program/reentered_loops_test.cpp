// Tests marginals that go back into loops that have ended. They mean what the query means, keep
// their text form, and make no more loops than foreseen. The verifier finds their faults.
#include "codegen/plan/program/reentered_loops.h"

#include "codegen/plan/passes/plan_pipeline.h"
#include "codegen/plan/program/print_program.h"
#include "codegen/plan/program/read_program.h"
#include "codegen/plan/program/verify_program.h"
#include "tests/oracle/brute/evaluate_program.h"
#include "tests/oracle/models/random_models.h"
#include "tests/oracle/models/sliced_programs.h"

#include <algorithm>
#include <gtest/gtest.h>

using namespace mpf;

namespace {

/// Options of networks in which loops end early in several places and inside each other.
oracle::RandomModelOptions longNetworks() {
  oracle::RandomModelOptions options;
  options.maxVariables = 40;
  options.maxFactors = 100;
  options.reach = 4;
  return options;
}

TEST(ReenteredLoops, MarginalsMeanTheSame) {
  std::mt19937_64 random(29);
  oracle::RandomModelOptions options = longNetworks();
  options.observedShare = 0.05;
  size_t second = 0, most = 0;
  for (int i = 0; i < 1500 && !HasFailure(); ++i) {
    const Model model = oracle::randomModel(random, options);
    const Query query = oracle::randomQuery(random, model, QueryKind::Marginals);
    const TableProgram whole = oracle::randomlySliced(random, model, query, 0);
    const TableProgram program = oracle::randomlySliced(random, model, query, 2 + i % 8);
    const auto again = static_cast<size_t>(
        std::count_if(program.variables.begin(), program.variables.end(), isReentered));
    second += again;
    most = std::max(most, again);
    if (SliceLevels(program).sliceCount() > 1024)
      continue; // the evaluator holds all slices
    SCOPED_TRACE(fmt::format("model {}\n{}", i, printProgram(program)));
    const oracle::EvaluatedProgram expected = oracle::evaluateProgram(model, whole),
                                   actual = oracle::evaluateProgram(model, program);
    for (const auto &[name, values] : expected.outputs)
      for (size_t e = 0; e < values.size(); ++e)
        ASSERT_TRUE(oracle::sameAnswer(actual.outputs.at(name)[e], values[e])) << name;
  }
  EXPECT_GT(second, 100u);
  EXPECT_GT(most, 3u);
}

/// The first random program that goes back into a loop.
TableProgram programWithReenteredLoops() {
  std::mt19937_64 random(29);
  while (true) {
    const Model model = oracle::randomModel(random, longNetworks());
    const Query query = oracle::randomQuery(random, model, QueryKind::Marginals);
    TableProgram program = oracle::randomlySliced(random, model, query, 5);
    if (std::any_of(program.variables.begin(), program.variables.end(), isReentered))
      return program;
  }
}

TEST(ReenteredLoops, VerifierNoticesBrokenOnes) {
  const TableProgram right = programWithReenteredLoops();
  ASSERT_EQ(verifyProgram(right).value_or(""), "");
  const auto expectRefused = [&right](auto change, const std::string &part) {
    TableProgram wrong = right;
    change(wrong);
    const std::string problem = verifyProgram(wrong).value_or("");
    EXPECT_NE(problem.find(part), std::string::npos) << problem;
  };
  const auto reading = [](TableProgram &program) -> ProgramTable & {
    return *std::find_if(program.tables.begin(), program.tables.end(),
                         [&program](const ProgramTable &table) {
                           return table.factor.valid() && isReenteredInput(program, table);
                         });
  };
  expectRefused([&](TableProgram &p) { reading(p).sameAs = {}; }, "of a reentered loop");
  expectRefused(
      [&](TableProgram &p) { // another input, of as many entries
        const ProgramTable &again = reading(p);
        for (size_t i = 0; i < p.tables.size(); ++i)
          if (const ProgramTable &other = p.tables[i];
              other.isInput() && !other.sameAs.valid() && other.factor.valid() &&
              TableId{i} != again.sameAs && other.scope.size() == again.scope.size() &&
              other.sizeElems == again.sizeElems) {
            reading(p).sameAs = TableId{i};
            return;
          }
      },
      "of a reentered loop");
  expectRefused(
      [&](TableProgram &p) { // the first loop's table in its place
        const TableId again{static_cast<size_t>(&reading(p) - p.tables.data())};
        for (Operation &operation : p.operations)
          std::replace(operation.operands.begin(), operation.operands.end(), again,
                       p.table(again).sameAs);
      },
      "operation");
  expectRefused([&](TableProgram &p) { p.kind = QueryKind::Evidence; }, "is no copy");
  expectRefused(
      [](TableProgram &p) {
        std::find_if(p.variables.begin(), p.variables.end(), isReentered)->copyOf =
            VarId{p.variables.size()};
      },
      "is no copy");
}

TEST(ReenteredLoops, TextFormReadsBack) {
  const std::string text = printProgram(programWithReenteredLoops());
  EXPECT_NE(text.find(" sliced copy "), std::string::npos) << text;
  Diagnostics diagnostics;
  const auto again = readPrograms(std::make_shared<SourceBuffer>("plan", text), diagnostics);
  ASSERT_TRUE(again) << renderDiagnostics(diagnostics) << text;
  EXPECT_EQ(printProgram(again->front().program), text);
}

/// The number of loops never exceeds the bound that elimination uses, else the downward pass would
/// run out of loops.
TEST(ReenteredLoops, NoMoreThanAreForeseen) {
  std::mt19937_64 random(31);
  size_t most = 0, exact = 0;
  for (int i = 0; i < 600 && !HasFailure(); ++i) {
    const Model model = oracle::randomModel(random, longNetworks());
    const Query query = oracle::randomQuery(random, model, QueryKind::Marginals);
    size_t foreseen = 0;
    PlanHooks hooks;
    hooks.after = [&](const PassEvent &event) {
      if (event.pass == "eliminate")
        foreseen = loopsAtMost(event.program);
    };
    const TableProgram program = oracle::randomlySliced(random, model, query, 2 + i % 12, hooks);
    const size_t loops = SliceLevels(program).count();
    ASSERT_LE(loops, foreseen) << printProgram(program);
    most = std::max(most, loops);
    exact += loops == foreseen;
  }
  EXPECT_GT(most, 14u);
  EXPECT_GT(exact, 0u);
}

} // namespace
