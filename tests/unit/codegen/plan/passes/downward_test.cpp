// Messages from above and marginals of a small chain, computed by hand.
#include "codegen/plan/passes/pass_downward.h"

#include "codegen/plan/initial/initial_program.h"
#include "codegen/plan/passes/pass_eliminate.h"
#include "codegen/plan/passes/pass_order_variables.h"
#include "codegen/plan/program/print_program.h"
#include "codegen/plan/program/verify_program.h"
#include "tests/oracle/brute/evaluate_program.h"
#include "tests/unit/codegen/plan/small_models.h"

#include <gtest/gtest.h>

using namespace mpf;
using namespace mpf::test;

namespace {

/// f0(x0, x1) f1(x1, x2), binary.
Model chainOf(std::vector<double> f0, std::vector<double> f1) {
  Model model = modelOf({2, 2, 2}, {{0, 1}, {1, 2}});
  model.factors[0].values = std::make_shared<const std::vector<double>>(std::move(f0));
  model.factors[1].values = std::make_shared<const std::vector<double>>(std::move(f1));
  model.queries.front().kind = QueryKind::Marginals;
  return model;
}

TableProgram upward(const Model &model, const std::vector<VarId> &order) {
  Diagnostics diagnostics;
  TableProgram program = initialProgram(model, model.queries.front(), diagnostics);
  passOrderVariables(program, order, 0);
  passEliminate(program, LoopEnds::Last);
  return program;
}

TableProgram withMarginals(const Model &model, const std::vector<VarId> &order) {
  TableProgram program = upward(model, order);
  passDownward(program);
  return program;
}

const std::vector<VarId> kByNumber = {VarId{size_t{0}}, VarId{1}, VarId{2}};

/// The entries of the output's table, before they are normalised.
std::vector<long double> sumsOf(const Model &model, const TableProgram &program,
                                const std::string &name) {
  const oracle::EvaluatedProgram values = oracle::evaluateProgram(model, program);
  for (const ProgramOutput &output : program.outputs)
    if (output.name == name)
      return values.tables[output.table.index()];
  return {};
}

using Values = std::vector<long double>;

/// x0 is held: P(x1 | x0) and P(x2 | x0) for each of its states, which has no posterior itself. The
/// message down to the bucket of x2 has x0 beside x1.
TEST(Downward, HeldVariablesStayInWhatDependsOnThem) {
  Model model = chainOf({1, 2, 3, 4}, {1, 1, 1, 3});
  const VarId x0{size_t{0}}, x1{1}, x2{2};
  model.queries.front().output = {x0};
  const TableProgram program = withMarginals(model, {x0, x1, x2});
  ASSERT_EQ(program.outputs.size(), 3u);
  EXPECT_EQ(program.outputs[0].scope, std::vector{x0});
  EXPECT_EQ(program.outputs[1].scope, (std::vector{x0, x1}));
  EXPECT_EQ(program.outputs[2].scope, (std::vector{x0, x2}));
  EXPECT_EQ(verifyProgram(program), std::nullopt);
  EXPECT_EQ(sumsOf(model, program, "evidence"), (Values{1 * 2 + 2 * 4, 3 * 2 + 4 * 4}));
  EXPECT_EQ(sumsOf(model, program, "x1"), (Values{1 * 2, 2 * 4, 3 * 2, 4 * 4}));
  EXPECT_EQ(sumsOf(model, program, "x2"), (Values{1 + 2, 1 + 6, 3 + 4, 3 + 12}));
}

/// x1 is held: the parts on its two sides do not depend on each other, nor on a message.
TEST(Downward, PartsThatMeetInHeldVariablesNeedNoMessage) {
  Model model = chainOf({1, 2, 3, 4}, {1, 1, 1, 3});
  const VarId x0{size_t{0}}, x1{1}, x2{2};
  model.queries.front().output = {x1};
  const TableProgram program = withMarginals(model, {x1, x0, x2});
  ASSERT_EQ(program.outputs.size(), 3u);
  EXPECT_EQ(program.outputs[1].scope, (std::vector{x1, x0}));
  EXPECT_EQ(sumsOf(model, program, "x2"), (Values{1, 1, 1, 3}));
  EXPECT_EQ(verifyProgram(program), std::nullopt);
}

/// x1 = 0: (1 + 3)(1 + 1) = 8, x1 = 1: (2 + 4)(1 + 3) = 24.
TEST(Downward, MarginalsOfAChainAreSumsOverTheOthers) {
  const Model model = chainOf({1, 2, 3, 4}, {1, 1, 1, 3});
  const VarId x0{size_t{0}}, x1{1}, x2{2};
  const std::vector<std::vector<VarId>> orders = {
      {x0, x1, x2}, {x2, x1, x0}, {x1, x0, x2}, {x2, x0, x1}};
  for (const std::vector<VarId> &order : orders) {
    const TableProgram program = withMarginals(model, order);
    ASSERT_EQ(program.outputs.size(), 4u);
    EXPECT_EQ(sumsOf(model, program, program.outputs[0].name), (Values{32}));
    EXPECT_EQ(sumsOf(model, program, "x0"), (Values{10, 22})) << printProgram(program);
    EXPECT_EQ(sumsOf(model, program, "x1"), (Values{8, 24})) << printProgram(program);
    EXPECT_EQ(sumsOf(model, program, "x2"), (Values{10, 22})) << printProgram(program);
  }
}

TEST(Downward, OutputsAreTheEvidenceThenTheVariablesByNumber) {
  const TableProgram program =
      withMarginals(chainOf({1, 2, 3, 4}, {1, 1, 1, 3}), {VarId{2}, VarId{size_t{0}}, VarId{1}});
  ASSERT_EQ(program.outputs.size(), 4u);
  EXPECT_TRUE(program.outputs[0].scope.empty());
  EXPECT_FALSE(program.outputs[0].normalised);
  for (size_t v = 0; v < 3; ++v) {
    EXPECT_EQ(program.outputs[v + 1].scope, std::vector<VarId>{VarId{v}});
    EXPECT_TRUE(program.outputs[v + 1].normalised);
  }
}

/// Upward messages of 0 are no divisors: x1 = 0 is impossible from the right, x1 = 1 from the left.
TEST(Downward, ZerosNeedNoCare) {
  const Model model = chainOf({1, 0, 2, 1}, {0, 0, 5, 7});
  const TableProgram program = withMarginals(model, kByNumber);
  EXPECT_EQ(sumsOf(model, program, "x0"), (Values{0, 12}));
  EXPECT_EQ(sumsOf(model, program, "x1"), (Values{0, 12}));
  EXPECT_EQ(sumsOf(model, program, "x2"), (Values{5, 7}));
}

/// The upward pass eliminates x2, x1, x0, each in its bucket. Downward, x0's marginal is a copy of
/// m1, which is normalised in its place. The message from above to x1 is f0 summed over x0. That
/// times m0 is x1's marginal; with f1 it is x2's.
TEST(Downward, UpwardOperationsStayAndEachMessageIsMadeOnce) {
  const Model model = chainOf({1, 2, 3, 4}, {1, 1, 1, 3});
  const TableProgram before = upward(model, kByNumber);
  const TableProgram after = withMarginals(model, kByNumber);
  ASSERT_EQ(before.operations.size(), 3u);
  ASSERT_GT(after.operations.size(), before.operations.size());
  for (size_t i = 0; i < before.operations.size(); ++i) {
    EXPECT_EQ(after.operations[i].operands, before.operations[i].operands);
    EXPECT_EQ(after.operations[i].reduced, before.operations[i].reduced);
  }
  EXPECT_EQ(after.operations.size(), 7u) << printProgram(after);
}

TEST(Downward, OtherQueriesStayAsTheyAre) {
  Model model = chainOf({1, 2, 3, 4}, {1, 1, 1, 3});
  model.queries.front().kind = QueryKind::Evidence;
  EXPECT_EQ(printProgram(withMarginals(model, kByNumber)), printProgram(upward(model, kByNumber)));
}

} // namespace
