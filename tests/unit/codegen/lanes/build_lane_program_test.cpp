// What is computed once, and what in every lane.
#include "codegen/pipeline/pipeline.h"

#include <gtest/gtest.h>

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

} // namespace
} // namespace mpf
