// Tests marginals with messages computed again (pass_recompute_messages.h). They have the bits of
// the program that holds all messages, in less memory; without slices and in loops.
#include "codegen/plan/passes/pass_recompute_messages.h"
#include "codegen/plan/program/print_program.h"
#include "codegen/plan/program/program_memory.h"
#include "codegen/plan/program/slice_levels.h"
#include "codegen/plan/program/verify_program.h"
#include "codegen/specialise/build_bundle.h"
#include "runtime/api/session.h"
#include "tests/oracle/models/random_models.h"
#include "tests/oracle/models/sliced_programs.h"

#include <fmt/core.h>
#include <gtest/gtest.h>

namespace mpf::oracle {
namespace {

std::vector<double> marginalsOf(const Model &model, const TableProgram &plan) {
  const Program program(std::make_shared<const Bundle>(buildBundle(model, plan, {})));
  SessionOptions options;
  options.device = "cpu";
  Session session(program, options);
  std::vector<double> numbers;
  for (int run = 0; run < 2; ++run) // dropped messages are computed anew
    for (const ResultTable &table : session.run().tables)
      numbers.insert(numbers.end(), table.entries.begin(), table.entries.end());
  return numbers;
}

/// Expects less memory and equal numbers. Returns whether the program came within `share` of the
/// work arena.
bool recomputeWithin(const Model &model, const TableProgram &plan, double share,
                     const std::vector<double> &expected) {
  const MemoryPlan memory = planMemory(plan, ElementType::F64);
  RecomputeBound bound;
  bound.orLeast = true;
  bound.bytes = memory.inputArenaBytes +
                static_cast<uint64_t>(share * static_cast<double>(memory.workArenaBytes));
  TableProgram less = plan;
  passRecomputeMessages(less, bound);
  if (less.operations.size() == plan.operations.size())
    return false;
  const uint64_t peakBytes = planMemory(less, ElementType::F64).peakBytes;
  EXPECT_LT(peakBytes, memory.peakBytes);
  EXPECT_EQ(verifyProgram(less).value_or(""), "");
  EXPECT_GT(totalAddresses(less), totalAddresses(plan));
  EXPECT_EQ(marginalsOf(model, less), expected) << printProgram(less);
  return peakBytes <= bound.bytes;
}

class Recomputed : public testing::TestWithParam<size_t> {};

TEST_P(Recomputed, RandomModelsGiveTheSameBits) {
  std::mt19937_64 random(7 + GetParam());
  RandomModelOptions options;
  options.maxVariables = 14;
  options.maxFactors = 24;
  options.maxArity = 3;
  size_t changed = 0;
  for (int i = 0; i < 80 && !HasFailure(); ++i) {
    const Model model = randomModel(random, options);
    const Query query = randomQuery(random, model, QueryKind::Marginals);
    const TableProgram plan = randomlySliced(random, model, query, GetParam());
    SCOPED_TRACE(fmt::format("model {}\n{}", i, printProgram(plan)));
    const std::vector<double> expected = marginalsOf(model, plan);
    for (const double share : {0.9, 0.75, 0.6, 0.45})
      changed += recomputeWithin(model, plan, share, expected);
  }
  EXPECT_GE(changed, 10u);
}

INSTANTIATE_TEST_SUITE_P(Loops, Recomputed, testing::Values(0, 1, 3));

/// Returns a ladder of different rungs: a message over two variables for every step has to be held.
std::string ladderText(int steps) {
  return fmt::format("param n = {}\nvar x[n], y[n] : 8\n"
                     "for i in 0..n-1: factor f(x[i], x[i+1]) = 1 + abs(x[i] - x[i+1]) / (i + 2)\n"
                     "for i in 0..n-1: factor g(y[i], y[i+1]) = 1 + y[i] * y[i+1] / (i + 3)\n"
                     "for i in 0..n: factor h(x[i], y[i]) = 1 + x[i] * (8 - y[i]) / (i + 1)\n"
                     "query marginals\n",
                     steps);
}

TEST(RecomputedLadder, TakesAFewPassesMore) {
  constexpr int kSteps = 100;
  CompileOptions options;
  options.device = "cpu";
  const Program whole = compileText(ladderText(kSteps), options);
  constexpr uint64_t kMarginalsBytes = 2 * kSteps * 8 * sizeof(double);
  const uint64_t held = whole.bundle().inputArenaBytes + kMarginalsBytes;
  ASSERT_GT(whole.bundle().workArenaBytes, 4 * kMarginalsBytes);
  const uint64_t messages = whole.bundle().workArenaBytes - kMarginalsBytes;
  const Result expected = Session(whole).run();
  for (const uint64_t share : {2, 4, 8}) {
    options.maxMemoryBytes = held + messages / share;
    const Program less = compileText(ladderText(kSteps), options);
    EXPECT_TRUE(less.bundle().sliced.empty());
    EXPECT_LE(less.bundle().operations.size(), whole.bundle().operations.size() * 2);
    const Result result = Session(less).run();
    EXPECT_LE(result.allocatedBytes, options.maxMemoryBytes);
    ASSERT_EQ(result.tables.size(), expected.tables.size());
    for (size_t i = 0; i < result.tables.size(); ++i)
      EXPECT_EQ(result.tables[i].entries, expected.tables[i].entries) << i;
  }
}

} // namespace
} // namespace mpf::oracle
