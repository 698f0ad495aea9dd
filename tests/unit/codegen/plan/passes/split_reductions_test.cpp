// Long sums with few outputs become two operations; everything else stays.
#include "codegen/plan/passes/pass_split_reductions.h"
#include "codegen/plan/program/program_edit.h"
#include "codegen/plan/program/verify_program.h"
#include "tests/unit/codegen/kernel/bucket_builder.h"

#include <gtest/gtest.h>

using namespace mpf;

namespace {

/// A clique over `count` binary variables of which the first is kept.
TableProgram clique(size_t count) {
  const std::string letters = std::string("abcdefghijklmnopqrstuvwxyz").substr(0, count);
  TableProgram program = bucket(letters, std::vector<uint32_t>(count, 2), {letters, "ab"}, "a");
  program.operations[0].cost = operationCost(program, program.operations[0]);
  program.kind = QueryKind::Joint;
  program.outputs.push_back({"P(a)", program.operations[0].result, {VarId(0)}, true});
  return program;
}

TEST(SplitReductions, MarginalOfABigCliqueTakesTwoSteps) {
  TableProgram program = clique(24);
  passSplitReductions(program);
  ASSERT_EQ(program.operations.size(), 2u);
  const Operation &first = program.operations[0], &second = program.operations[1];
  EXPECT_EQ(first.operands.size(), 2u);
  EXPECT_EQ(program.table(first.result).sizeElems, 1u << 16);
  EXPECT_EQ(first.reduced.size(), 8u); // the least significant ones
  EXPECT_EQ(first.reduced.back(), VarId(23));
  EXPECT_EQ(second.operands, (std::vector<TableId>{first.result}));
  EXPECT_EQ(second.reduced.size(), 15u);
  EXPECT_EQ(program.outputs[0].table, second.result);
  const auto problem = verifyProgram(program);
  EXPECT_FALSE(problem.has_value()) << *problem;
}

TEST(SplitReductions, SmallSumsStay) {
  TableProgram program = clique(19);
  passSplitReductions(program);
  EXPECT_EQ(program.operations.size(), 1u);
}

TEST(SplitReductions, ManyOutputsStay) {
  std::string letters = "abcdefghijklmnopqrstuv";
  TableProgram program =
      bucket(letters, std::vector<uint32_t>(22, 2), {letters}, letters.substr(0, 14));
  program.operations[0].cost = operationCost(program, program.operations[0]);
  passSplitReductions(program);
  EXPECT_EQ(program.operations.size(), 1u);
}

TEST(SplitReductions, OneHugeVariableStays) {
  TableProgram program = bucket("xk", {2, 1u << 22}, {"xk"}, "x");
  program.operations[0].cost = operationCost(program, program.operations[0]);
  passSplitReductions(program);
  EXPECT_EQ(program.operations.size(), 1u);
}

TEST(SplitReductions, EachPartialKeepsEnoughTerms) {
  // 2 x 1024 x 1024: the first variable alone leaves 1024 terms for each of 2048 partials; both
  // would leave none.
  TableProgram program = bucket("xjk", {2, 1024, 1024}, {"xjk"}, "x");
  program.operations[0].cost = operationCost(program, program.operations[0]);
  passSplitReductions(program);
  ASSERT_EQ(program.operations.size(), 2u);
  EXPECT_EQ(program.table(program.operations[0].result).sizeElems, 2048u);
}

} // namespace
