// Posteriors whose entries are products of many tables. Each table spans few binary orders.
#include "codegen/bundle/lanes/linear_plan.h"
#include "codegen/pipeline/pipeline.h"
#include "runtime/execute/lanes/case_runner.h"

#include <algorithm>
#include <cmath>
#include <gtest/gtest.h>

namespace mpf {
namespace {

constexpr double kLeast = 0x1p-9; ///< P(y[i] = 0 | c = 0); 1 for the other states of c

/// P(c | y) of a c with 3 states and `children` two-state children, which cases observe. State 2 of
/// c is impossible.
LaneProgram manyTables(uint32_t children, ElementType type = ElementType::F64,
                       QueryKind kind = QueryKind::Joint) {
  Model model;
  Query query;
  query.name = "P(c)";
  query.kind = kind;
  if (kind == QueryKind::Joint)
    query.output = {VarId{0}};
  model.variables.push_back({"c", 3, {}});
  CaseSchema schema{{{VarId{0}, 3}}, {}, {}};
  const auto add = [&](std::vector<VarId> scope, std::vector<double> values) {
    const std::string name = "f" + std::to_string(model.factors.size());
    query.factors.push_back(FactorId{model.factors.size()});
    model.factors.push_back(
        {name, name, std::move(scope), std::make_shared<std::vector<double>>(std::move(values))});
  };
  add({VarId{0}}, {0.5, 0.5, 0});
  for (uint32_t i = 0; i < children; ++i) {
    const VarId child{model.variables.size()};
    model.variables.push_back({"y" + std::to_string(i), 2, {}});
    schema.observed.push_back({child, 2});
    // The tables differ, so that no pass joins them.
    const double odd = 1 + 0x1p-20 * i;
    add({VarId{0}, child}, {kLeast, 1 - kLeast, 1 / odd, 1 - 1 / odd, 1, 1});
  }
  PipelineOptions options;
  options.plan.type = type;
  Diagnostics diagnostics;
  return Pipeline(options).planLanes(model, query, schema, diagnostics).program;
}

/// Two cases: all children are 0; the same with c observed as 0.
CaseBlock findingsOf(const LaneProgram &program) {
  CaseBlock block(program.schema, 2);
  block.count = 2;
  for (size_t column = 0; column < block.columns(); ++column)
    for (uint32_t i = 0; i < 2; ++i)
      block.setCode(column, i, column == 0 && i == 0 ? 3 : 0);
  return block;
}

/// log2 of the posterior of state 0 in the first case.
double log2OfLeast(uint32_t children) {
  double log2 = children * std::log2(kLeast);
  for (uint32_t i = 0; i < children; ++i)
    log2 += std::log2(1 + 0x1p-20 * i);
  return log2;
}

LinearPlan planned(const LaneProgram &program, ElementType type) {
  return planLinear(program, CommonTables(program), type);
}

TEST(VanishedEntries, TheSumOfAllSpreadsDecides) {
  for (const auto &[children, vanishes] : {std::pair{60u, false}, {130u, true}}) {
    const LaneProgram program = manyTables(children);
    const LinearPlan plan = planned(program, ElementType::F64);
    ASSERT_TRUE(plan.possible);
    EXPECT_GE(static_cast<double>(plan.outputOrders[0]), -log2OfLeast(children));
    EXPECT_EQ(mayVanish(program, plan, 0, ElementType::F64), vanishes) << children;
  }
  const LaneProgram program = manyTables(20);
  const LinearPlan plan = planned(program, ElementType::F32);
  ASSERT_TRUE(plan.possible);
  EXPECT_TRUE(mayVanish(program, plan, 0, ElementType::F32));
  EXPECT_FALSE(mayVanish(program, plan, 0, ElementType::F64));
}

TEST(VanishedEntries, PosteriorsAreThoseOfTheDefinition) {
  for (const ElementType type : {ElementType::F64, ElementType::F32})
    for (const uint32_t children : {10u, 30u, 112u, 113u, 114u, 119u, 125u, 200u, 400u}) {
      const LaneProgram program = manyTables(children, type);
      CaseRunner runner(program, {});
      CaseAnswers answers;
      runner.run(findingsOf(program), answers);
      const double log2 = log2OfLeast(children);
      EXPECT_NEAR(answers.tables[0].at(0, 0).log2(), log2, type == ElementType::F32 ? 1e-4 : 1e-9)
          << children << " children, " << elementTypeName(type);
      EXPECT_NEAR(answers.tables[0].at(0, 1).log2(), 0, 1e-6);
      EXPECT_EQ(answers.tables[0].at(0, 2).sign(), 0);
      EXPECT_EQ(answers.tables[0].at(1, 0).log2(), 0);
      // The second case may leave if a message is rescaled.
      if (std::ranges::count(planned(program, ElementType::F64).rescaled, 1) == 0) {
        EXPECT_EQ(runner.counts().wide, log2 < -1022 ? 1u : 0u)
            << children << " children: the zeros of the model stay";
      }
    }
}

TEST(VanishedEntries, MarginalsAreThoseOfTheDefinition) {
  for (const ElementType type : {ElementType::F64, ElementType::F32})
    for (const uint32_t children : {10u, 113u, 114u, 200u}) {
      const LaneProgram program = manyTables(children, type, QueryKind::Marginals);
      CaseRunner runner(program, {});
      CaseAnswers answers;
      runner.run(findingsOf(program), answers);
      const auto table = std::ranges::find(answers.tables, "c", &CaseTable::name);
      ASSERT_NE(table, answers.tables.end());
      EXPECT_NEAR(table->at(0, 0).log2(), log2OfLeast(children),
                  type == ElementType::F32 ? 1e-4 : 1e-9)
          << children << " children, " << elementTypeName(type);
      EXPECT_NEAR(table->at(0, 1).log2(), 0, 1e-6);
      EXPECT_EQ(table->at(0, 2).sign(), 0);
    }
}

} // namespace
} // namespace mpf
