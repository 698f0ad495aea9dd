// The engines of a list that are planned.
#include "runtime/engine/list/choose_engine.h"

#include "codegen/predict/lane_speed.h"
#include "dsl/support/check.h"
#include "dsl/support/system/thread_count.h"
#include "runtime/choose/answer/choose_for_list.h"
#include "runtime/choose/answer/verify_answer.h"
#include "runtime/engine/lanes/lane_engine.h"
#include "tests/unit/codegen/plan/small_models.h"

#include <chrono>
#include <gtest/gtest.h>
#include <optional>
#include <utility>
#include <vector>

namespace mpf {
namespace {

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
    settings.hooks.planningBegins = [this](const PlanningEvent &) {
      if (std::exchange(lanesArePlanned, true)) {
        ++refusals;
        fail(ErrorKind::Unsupported, "no");
      }
    };
  }

  CaseProblem problem(const std::optional<Target> &gpu = {}) const {
    return {model, schema, model.queries.front(), settings, 1'000'000'000, gpu};
  }

  bool lanesArePlanned = false; ///< they are planned first
  unsigned refusals = 0;        ///< plans that the other engines refused
};

TEST(PlanList, PlanningEndsWithTheTimeForSearches) {
  LongList list;
  const CaseProblem unhurried = list.problem();
  PlannedList planned = planList(unhurried, false);
  ASSERT_EQ(planned.engines().size(), 3u);
  EXPECT_TRUE(planned.engines()[0].plan);
  EXPECT_EQ(list.refusals, 2u) << "the others are planned without a search first";
  list.lanesArePlanned = false;
  list.settings.compile.searchTime = {std::chrono::steady_clock::now()};
  const CaseProblem hurried = list.problem();
  planned = planList(hurried, false);
  ASSERT_EQ(planned.engines().size(), 3u);
  EXPECT_TRUE(planned.engines()[0].plan) << "one is planned in any case";
  EXPECT_FALSE(planned.engines()[1].isWorthPlanning || planned.engines()[2].isWorthPlanning);
  EXPECT_EQ(list.refusals, 2u) << "no further plan was asked for";
  ASSERT_TRUE(planned.choose());
  EXPECT_EQ(planned.answer().candidates[1].refusal, kCostsMore);
  EXPECT_EQ(answerPlanFault(planned.answer()), "");
}

/// The effort of planning depends on the time of the list on the engine that is planned.
TEST(PlanList, LanesArePlannedByThePredictionOfTheirDevice) {
  LongList list;
  const Target gpu = targetNamed("sm_90");
  LanePlan plan;
  plan.laneCost = 1e6;
  // Printed plans are those of runs here; a bundle may run anywhere, so it counts with one thread.
  for (const auto &[purpose, threads] : std::vector<std::pair<Purpose, unsigned>>{
           {Purpose::Bundle, 1}, {Purpose::Text, coreCount()}, {Purpose::OneRun, coreCount()}}) {
    list.settings.compile.purpose = purpose;
    for (const std::optional<Target> &device : {std::optional<Target>(), {gpu}}) {
      const CompileSettings planned = laneSettingsFor(list.problem(device));
      ASSERT_TRUE(planned.laneLoad);
      EXPECT_DOUBLE_EQ(listUs(plan, *planned.laneLoad),
                       listUs(plan, {1e9, EngineRates(), threads, device}));
    }
  }
}

} // namespace
} // namespace mpf
