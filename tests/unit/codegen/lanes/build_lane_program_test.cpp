// Tests which work is done once, and which in every lane.
#include "codegen/pipeline/pipeline.h"

#include <atomic>
#include <chrono>
#include <gtest/gtest.h>
#include <string>

namespace mpf {
namespace {

/// sum over x, y, a, b of f(x, y, a) g(a) h(x, y, b): no finding bears on f and g.
Model largeConstantMessage() {
  Model model;
  model.variables = {{"x", 80, {}}, {"y", 80, {}}, {"a", 4, {}}, {"b", 3, {}}};
  const auto add = [&](const char *name, std::vector<VarId> scope) {
    auto values = std::make_shared<std::vector<double>>(scopeElems(model, scope), 0.25);
    model.factors.push_back({name, name, std::move(scope), std::move(values)});
  };
  add("f", {VarId{0}, VarId{1}, VarId{2}});
  add("g", {VarId{2}});
  add("h", {VarId{0}, VarId{1}, VarId{3}});
  return model;
}

TEST(BuildLaneProgram, AMessageThatNoCaseChangesIsComputedOnceHoweverLarge) {
  const Model model = largeConstantMessage();
  Query query;
  query.name = "evidence";
  query.kind = QueryKind::Evidence;
  query.factors = {FactorId{0}, FactorId{1}, FactorId{2}};
  const CaseSchema schema{{{VarId{3}, 3}}, {}, {}};
  Diagnostics diagnostics;
  const LanePlan plan = Pipeline(PipelineOptions{}).planLanes(model, query, schema, diagnostics);
  // All that is left to a lane is a row of a table of four: P(b) for each finding.
  uint64_t addresses = 0;
  for (const LaneStep &step : plan.program.steps)
    if (const auto *operation = std::get_if<LaneOperation>(&step))
      addresses += operation->addresses();
  EXPECT_LE(addresses, 8u);
  bool isLarge = false;
  for (const LaneTable &table : plan.program.tables)
    isLarge |= table.kind == LaneTableKind::Common && table.sizeElems >= 6400;
  EXPECT_TRUE(isLarge);
}

/// sum over x of g(x) prod over i of f(x, y_i), with all y observable.
struct Star {
  Model model;
  Query query;
  CaseSchema schema;

  Star();
  LanePlan plan(const PipelineOptions &options) const {
    Diagnostics diagnostics;
    return Pipeline(options).planLanes(model, query, schema, diagnostics);
  }
};

Star::Star() {
  model.variables = {{"x", 4, {}}};
  auto g = std::make_shared<std::vector<double>>(4, 0.25);
  model.factors.push_back({"g", "g", {VarId{0}}, std::move(g)});
  query.name = "evidence";
  query.kind = QueryKind::Evidence;
  query.factors = {FactorId{0}};
  for (size_t i = 1; i <= 120; ++i) {
    const std::string name = "f" + std::to_string(i);
    model.variables.push_back({"y" + std::to_string(i), 3, {}});
    auto values = std::make_shared<std::vector<double>>();
    for (size_t e = 0; e < 12; ++e)
      values->push_back(0.1 + 0.05 * static_cast<double>((e * i) % 7));
    model.factors.push_back({name, name, {VarId{0}, VarId{i}}, std::move(values)});
    query.factors.push_back(FactorId{i});
    schema.observed.push_back({VarId{i}, 3});
  }
}

TEST(BuildLaneProgram, FewCasesAreNotWorthAnotherBoundOfTables) {
  const Star star;
  const auto planFor = [&](double cases) {
    PipelineOptions options;
    options.laneLoad = LaneLoad{.cases = cases};
    return star.plan(options);
  };
  const LanePlan few = planFor(10), many = planFor(1e9);
  EXPECT_EQ(few.tableElems, 1u);
  EXPECT_GT(many.tableElems, 1u);
  EXPECT_LT(many.laneCost, few.laneCost);
}

TEST(BuildLaneProgram, NothingIsTriedWhenTheTimeForSearchesIsOver) {
  PipelineOptions options;
  EXPECT_GT(Star().plan(options).tableElems, 1u);
  options.plan.search.deadline = std::chrono::steady_clock::now();
  EXPECT_EQ(Star().plan(options).tableElems, 1u);
  std::atomic<bool> stop = true;
  options.plan.search = {};
  options.plan.search.stop = &stop;
  EXPECT_EQ(Star().plan(options).tableElems, 1u);
}

} // namespace
} // namespace mpf
