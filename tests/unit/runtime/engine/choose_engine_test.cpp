// The engines that are planned, and the one that is opened first.
#include "runtime/engine/choose_engine.h"

#include "codegen/pipeline/pipeline.h"
#include "dsl/support/check.h"
#include "dsl/support/system/thread_count.h"
#include "runtime/choose/lane_speed.h"
#include "tests/unit/codegen/plan/small_models.h"

#include <chrono>
#include <gtest/gtest.h>
#include <optional>
#include <utility>
#include <vector>

namespace mpf {
namespace {

/// Returns a list of `count` rows; none: of unknown length.
CaseLoad rows(std::optional<uint64_t> count) { return {count, {}}; }

ConsideredEngine engineOf(CaseEngineKind kind, double rowsPerSecond, uint64_t casesAtOnce) {
  ConsideredEngine engine;
  engine.kind = kind;
  engine.plan.emplace();
  engine.plan->speed = {rowsPerSecond, casesAtOnce, 0};
  return engine;
}

std::vector<ConsideredEngine> threeEngines() {
  return {engineOf(CaseEngineKind::Lanes, 1e5, 33792), engineOf(CaseEngineKind::Tables, 7e4, 64),
          engineOf(CaseEngineKind::Single, 1e3, 1)};
}

TEST(OpeningOrder, LanesForManyCases) {
  EXPECT_EQ(openingOrder(rows(1'000'000), threeEngines()), (std::vector<size_t>{0, 1, 2}));
  EXPECT_EQ(openingOrder(rows(std::nullopt), threeEngines()), (std::vector<size_t>{1, 0, 2}))
      << "of 10,000 rows: 0.34 and 0.14 s";
}

TEST(OpeningOrder, FewCasesLeaveMostLanesEmpty) {
  EXPECT_EQ(openingOrder(rows(64), threeEngines()), (std::vector<size_t>{1, 0, 2}));
  EXPECT_EQ(openingOrder(rows(1), threeEngines()), (std::vector<size_t>{1, 0, 2}))
      << "a run of the second takes as long as one of the third, which is not clearly faster";
}

TEST(OpeningOrder, ALittleFasterIsNotEnough) {
  std::vector<ConsideredEngine> engines = threeEngines();
  engines[0].plan->speed = {5e4, 1, 0};
  EXPECT_EQ(openingOrder(rows(6400), engines), (std::vector<size_t>{0, 1, 2}));
}

TEST(OpeningOrder, WhatIsNotAskedComesInItsPlace) {
  std::vector<ConsideredEngine> engines = threeEngines();
  engines[1].isConsidered = false;
  EXPECT_EQ(openingOrder(rows(64), engines), (std::vector<size_t>{2, 0, 1}));
  engines[2].plan.reset();
  engines[2].refusal = std::make_exception_ptr(Error(ErrorKind::Unsupported, "no"));
  EXPECT_EQ(openingOrder(rows(64), engines), (std::vector<size_t>{0, 1, 2}));
}

TEST(OpeningOrder, TablesThatWereAskedFirstAreOpenedFirst) {
  std::vector<ConsideredEngine> engines = threeEngines();
  engines[0].isConsidered = engines[2].isConsidered = false;
  EXPECT_EQ(openingOrder(rows(8), engines), (std::vector<size_t>{1, 0, 2}));
  engines[0].isConsidered = true;
  engines[0].plan.reset();
  engines[0].refusal = std::make_exception_ptr(Error(ErrorKind::MemoryBound, "no"));
  EXPECT_EQ(openingOrder(rows(8), engines), (std::vector<size_t>{0, 1, 2}))
      << "what refuses is heard";
}

TEST(OpeningOrder, AGpuIsBroughtUpWhereThatPays) {
  std::vector<ConsideredEngine> engines = {engineOf(CaseEngineKind::Lanes, 1e6, 2),
                                           engineOf(CaseEngineKind::GpuLanes, 1e9, 67584)};
  engines[1].plan->speed.startSeconds = 0.5;
  EXPECT_EQ(openingOrder(rows(900'000), engines), (std::vector<size_t>{0, 1}));
  EXPECT_EQ(openingOrder(rows(10'000'000), engines), (std::vector<size_t>{1, 0}));
  EXPECT_EQ(openingOrder({900'000, 9e7}, engines), (std::vector<size_t>{1, 0}))
      << "more lists like this one are expected";
  EXPECT_EQ(openingOrder({10'000'000, 100}, engines), (std::vector<size_t>{0, 1}))
      << "the list is cut short";
}

/// A long list over a grid, on the CPU. Its lanes are planned as usual, and its other engines
/// refuse.
struct LongList {
  Model model = test::grid(8, 8);
  CaseSchema schema{{{VarId{0}, model.variable(VarId{0}).extent}}, {}, {}};
  CaseSettings settings;

  LongList() {
    settings.compile.devices = DeviceRequest::cpu();
    settings.compile.purpose = Purpose::Text;
    settings.mayBind = true;
    settings.planLanes = [this](const Model &of, const Query &query, const CaseSchema &cases,
                                const CompileSettings &compile) {
      planned = compile;
      Diagnostics diagnostics;
      return Pipeline(pipelineOptionsFor(compile, ElementType::F64))
          .planLanes(of, query, cases, diagnostics);
    };
    settings.compileQuery = [](const Model &, const Query &, const CompileSettings &) -> Bundle {
      fail(ErrorKind::Unsupported, "no");
    };
  }

  CaseProblem problem(const std::optional<Target> &gpu = {}) const {
    return {model, schema, model.queries.front(), settings, 1'000'000'000, gpu};
  }

  CompileSettings planned; ///< settings with which lanes were planned
};

TEST(PlanEngines, WhatIsAskedEndsWithTheTimeForSearches) {
  LongList list;
  std::vector<ConsideredEngine> engines = planEngines(list.problem(), false);
  ASSERT_EQ(engines.size(), 3u);
  EXPECT_TRUE(engines[0].plan && engines[1].isConsidered && engines[2].isConsidered);
  list.settings.compile.searchDeadline = [] { return std::chrono::steady_clock::now(); };
  engines = planEngines(list.problem(), false);
  ASSERT_EQ(engines.size(), 3u);
  EXPECT_TRUE(engines[0].plan) << "one is planned in any case";
  EXPECT_FALSE(engines[1].isConsidered || engines[2].isConsidered);
}

/// The effort of planning depends on the time of the list on the engine that is planned.
TEST(PlanEngines, LanesArePlannedByThePredictionOfTheirDevice) {
  LongList list;
  const Target gpu = targetNamed("sm_90");
  LanePlan plan;
  plan.laneCost = 1e6;
  // Printed plans are those of runs here; a bundle may run anywhere, so it counts with one thread.
  for (const auto &[purpose, threads] : std::vector<std::pair<Purpose, unsigned>>{
           {Purpose::Bundle, 1}, {Purpose::Text, coreCount()}, {Purpose::OneRun, coreCount()}}) {
    list.settings.compile.purpose = purpose;
    planEngines(list.problem(), false);
    ASSERT_TRUE(list.planned.predictList);
    EXPECT_DOUBLE_EQ(list.planned.predictList(plan),
                     listPrediction(EngineRates(), threads, {}, 1e9)(plan));
    planEngine(list.problem(gpu), CaseEngineKind::Lanes);
    EXPECT_DOUBLE_EQ(list.planned.predictList(plan),
                     listPrediction(EngineRates(), threads, gpu, 1e9)(plan));
  }
}

} // namespace
} // namespace mpf
