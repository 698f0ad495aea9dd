// Bucket elimination of small chains, written down by hand: buckets, messages, loops, traceback.
#include "codegen/plan/passes/pass_eliminate.h"

#include "codegen/plan/initial/initial_program.h"
#include "codegen/plan/passes/pass_order_variables.h"
#include "codegen/plan/program/print_program.h"
#include "dsl/support/error.h"
#include "tests/unit/codegen/plan/small_models.h"

#include <gtest/gtest.h>

using namespace mpf;
using namespace mpf::test;

namespace {

std::vector<VarId> ids(const std::vector<size_t> &numbers) {
  std::vector<VarId> list;
  for (const size_t number : numbers)
    list.emplace_back(number);
  return list;
}

TableProgram eliminated(const Model &model, const std::vector<size_t> &order, size_t sliced,
                        LoopEnds ends, QueryKind kind = QueryKind::Evidence) {
  Query query = model.queries.front();
  query.kind = kind;
  Diagnostics diagnostics;
  TableProgram program = initialProgram(model, query, diagnostics);
  passOrderVariables(program, ids(order), sliced);
  passEliminate(program, ends);
  return program;
}

/// Returns lines like "x2: f1 -> m0(x1)": the reduced variables, the operands and the result.
std::vector<std::string> bucketsOf(const TableProgram &program) {
  std::vector<std::string> lines;
  for (const Operation &operation : program.operations) {
    std::string line;
    for (const VarId id : operation.reduced)
      line += program.variables[id.index()].name;
    line += ":";
    for (const TableId id : operation.operands)
      line += " " + program.table(id).name;
    line += " -> " + program.table(operation.result).name + "(";
    for (const VarId id : program.table(operation.result).scope)
      line += program.variables[id.index()].name;
    lines.push_back(line + ")");
  }
  return lines;
}

using Lines = std::vector<std::string>;

/// f0(x0, x1) f1(x1, x2) of 2, 3 and 5 states.
Model threeInARow() { return modelOf({2, 3, 5}, {{0, 1}, {1, 2}}); }
/// f0(x0, x1) f1(x1, x2) f2(x2, x3).
Model fourInARow() { return modelOf({2, 2, 2, 2}, {{0, 1}, {1, 2}, {2, 3}}); }

TEST(Eliminate, EachVariableHasItsBucket) {
  const TableProgram program = eliminated(threeInARow(), {0, 1, 2}, 0, LoopEnds::Last);
  EXPECT_EQ(bucketsOf(program),
            (Lines{"x2: f1 -> m0(x1)", "x1: f0 m0 -> m1(x0)", "x0: m1 -> m2()"}));
  ASSERT_EQ(program.operations.size(), 3u);
  const OperationCost &middle = program.operations[1].cost;
  EXPECT_EQ(middle.addressCount, 6u);
  EXPECT_EQ(middle.readElems, 9u);
  EXPECT_EQ(middle.writtenElems, 2u);
  EXPECT_EQ(middle.combineOps, 6u);
  EXPECT_EQ(middle.reduceOps, 6u);
  EXPECT_EQ(program.outputs.front().table, program.operations.back().result);
  EXPECT_TRUE(program.traceback.empty());
}

TEST(Eliminate, TheOrderDecidesTheMessages) {
  EXPECT_EQ(bucketsOf(eliminated(threeInARow(), {0, 2, 1}, 0, LoopEnds::Last)),
            (Lines{"x1: f0 f1 -> m0(x0x2)", "x2: m0 -> m1(x0)", "x0: m1 -> m2()"}));
}

/// Tables without remaining variables are multiplied at the end.
TEST(Eliminate, PartsMeetInOneProduct) {
  EXPECT_EQ(bucketsOf(eliminated(modelOf({2, 3}, {{0}, {1}}), {0, 1}, 0, LoopEnds::Last)),
            (Lines{"x1: f1 -> m0()", "x0: f0 -> m1()", ": m0 m1 -> m2()"}));
}

TEST(Eliminate, ALoopThatEndsLastIsInEveryMessageUpToThen) {
  EXPECT_EQ(bucketsOf(eliminated(fourInARow(), {3, 0, 1, 2}, 1, LoopEnds::Last)),
            (Lines{"x2: f1 f2 -> m0(x3x1)", "x1: f0 m0 -> m1(x3x0)", "x0: m1 -> m2(x3)",
                   "x3: m2 -> m3()"}));
}

TEST(Eliminate, ALoopMayEndWhereOneTableAloneIsInIt) {
  EXPECT_EQ(bucketsOf(eliminated(fourInARow(), {3, 0, 1, 2}, 1, LoopEnds::AtOnce)),
            (Lines{"x2: f1 f2 -> m0(x3x1)", "x3: m0 -> m1(x1)", "x1: f0 m1 -> m2(x0)",
                   "x0: m2 -> m3()"}));
}

/// The bound for a small message is the largest message inside the loop, by a factor of
/// 2^kLog2SmallSum.
TEST(Eliminate, ALoopThatEndsWhenSmallWaitsForASmallMessage) {
  const auto at = [](uint32_t extent) { // x2 out of f(x1, x2) f(x2, x3, x4), then x4: m1(x3, x1)
    const Model model = modelOf({2, 2, 2, 2, extent}, {{0, 1}, {1, 2, 4}, {2, 3, 4}});
    return bucketsOf(eliminated(model, {3, 0, 1, 4, 2}, 1, LoopEnds::WhenSmall));
  };
  // m0(x3, x1, x4) has 2 * extent entries in a slice, m1(x3, x1) has 2.
  EXPECT_EQ(at(15)[2], "x1: f0 m1 -> m2(x3x0)");
  EXPECT_EQ(at(16)[2], "x3: m1 -> m2(x1)");
}

TEST(Eliminate, TwoLoopsEndFromTheInsideOut) {
  const Lines lines = bucketsOf(eliminated(threeInARow(), {0, 2, 1}, 2, LoopEnds::Last));
  EXPECT_EQ(lines, (Lines{"x1: f0 f1 -> m0(x0x2)", "x2: m0 -> m1(x0)", "x0: m1 -> m2()"}));
}

TEST(Eliminate, BestAssignmentsAreReadBackFromTheLastVariableOn) {
  const TableProgram program =
      eliminated(threeInARow(), {0, 1, 2}, 0, LoopEnds::Last, QueryKind::Mpe);
  Lines steps;
  for (const TracebackStep &step : program.traceback) {
    std::string line = program.variables[step.variable.index()].name + ":";
    for (const TableId id : step.tables)
      line += " " + program.table(id).name;
    steps.push_back(line);
  }
  EXPECT_EQ(steps, (Lines{"x0: m1", "x1: f0 m0", "x2: f1"})) << printProgram(program);
}

TEST(Eliminate, LoopsOfBestAssignmentsMustEndLast) {
  EXPECT_THROW(eliminated(fourInARow(), {3, 0, 1, 2}, 1, LoopEnds::AtOnce, QueryKind::Mpe), Error);
}

} // namespace
