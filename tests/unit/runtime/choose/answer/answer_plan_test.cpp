#include "runtime/choose/answer/answer_plan.h"

#include "codegen/plan/build_program.h"
#include "codegen/specialise/build_bundle.h"
#include "runtime/choose/answer/choose_answer.h"
#include "runtime/choose/answer/choose_for_list.h"
#include "runtime/choose/answer/verify_answer.h"
#include "tests/unit/codegen/plan/small_models.h"

#include <algorithm>
#include <cmath>
#include <gtest/gtest.h>
#include <random>

namespace mpf {
namespace {

AnswerCandidate candidateWith(PlacementMethod method, double runUs, std::string refusal = "") {
  AnswerCandidate candidate;
  candidate.method = method;
  candidate.runUs = runUs;
  candidate.refusal = std::move(refusal);
  return candidate;
}

TEST(AnswerPlan, FaultsAreNamed) {
  AnswerPlan plan;
  EXPECT_EQ(answerPlanFault(plan), "candidate 0 is chosen, there are 0");
  plan.candidates = {candidateWith(PlacementMethod::Cpu, 20),
                     candidateWith(PlacementMethod::Gpu, 10)};
  EXPECT_EQ(answerPlanFault(plan), "candidate cpu takes 20 us, and gpu would take 10");
  plan.cases = 100;
  EXPECT_EQ(answerPlanFault(plan), "") << "lists take the first unless another is clearly faster";
  plan.candidates[1].runUs = 9;
  EXPECT_EQ(answerPlanFault(plan), "candidate 0 is chosen, and candidate 1 would be");
  plan.candidates[1].refusal = kCostsMore;
  EXPECT_EQ(answerPlanFault(plan), "");
  plan.cases.reset();
  plan.candidates[1].refusal = "no GPU";
  EXPECT_EQ(answerPlanFault(plan), "");
  plan.chosen = 1;
  EXPECT_EQ(answerPlanFault(plan), "the chosen candidate is refused: no GPU");
  plan.candidates[1].refusal.clear();
  EXPECT_EQ(answerPlanFault(plan), "");
  plan.devices = DeviceRequest::cpu();
  EXPECT_EQ(answerPlanFault(plan),
            "the chosen candidate is not allowed: it uses a GPU, which the devices exclude");
  plan.devices = DeviceRequest::gpu();
  plan.chosen = 0;
  EXPECT_EQ(answerPlanFault(plan),
            "the chosen candidate is not allowed: it uses no GPU, which the devices require");
  plan.devices = {};
  plan.chosen = 1;
  plan.placement.devices = {DeviceId::cpu()};
  plan.supersteps = {0};
  EXPECT_EQ(answerPlanFault(plan),
            "operations are placed on several devices, the chosen candidate uses one");
}

TEST(AnswerPlan, TextHasEverythingThatDecides) {
  AnswerPlan plan;
  plan.query = "P(x y)";
  plan.cases = 100;
  plan.candidates = {candidateWith(PlacementMethod::Cpu, 20.5),
                     candidateWith(PlacementMethod::Gpu, 10, "no \"GPU\"")};
  plan.candidates[0].form = AnswerForm::Lanes;
  plan.candidates[0].onceUs = 3;
  plan.candidates[0].memory = {{{DeviceKind::Cpu, 0}, 4096}};
  plan.candidates[1].runUs.reset();
  plan.why = "it is alone";
  plan.gpuFault = "it burns";
  EXPECT_EQ(printAnswerPlan(plan), "answer \"P(x y)\" devices=auto schedule=auto cases=100 runs=1\n"
                                   "candidate lanes cpu run=20.5 once=3 cpu0=4096\n"
                                   "candidate tables gpu refused=\"no \\\"GPU\\\"\"\n"
                                   "chosen 0 why=\"it is alone\" gpu-fault=\"it burns\"\n");
  plan.placement.devices = {DeviceId::cpu(), DeviceId::cpu(), DeviceId::gpu(0), DeviceId::gpu(0)};
  plan.supersteps = {0, 0, 0, 1};
  EXPECT_TRUE(printAnswerPlan(plan).ends_with("place 2 cpu0 superstep=0\n"
                                              "place 1 gpu0 superstep=0\n"
                                              "place 1 gpu0 superstep=1\n"));
}

/// Compares the choice with its definition. A candidate stands if no earlier one stands, or if it
/// is clearly faster than the last one that does. The last that stands is chosen.
TEST(ChooseForList, TakesTheFirstUnlessALaterOneIsClearlyFaster) {
  std::mt19937_64 random(3);
  size_t overtaken = 0;
  for (int trial = 0; trial < 5000; ++trial) {
    std::vector<AnswerCandidate> candidates(random() % 6);
    std::vector<double> totals;
    for (AnswerCandidate &candidate : candidates) {
      candidate.runUs = static_cast<double>(random() % 16);
      candidate.onceUs = static_cast<double>(random() % 4);
      candidate.refusal = random() % 3 == 0 ? "no" : "";
      totals.push_back(candidate.refusal.empty() ? *candidate.runUs + candidate.onceUs : INFINITY);
    }
    std::optional<size_t> expected;
    double limit = INFINITY;
    for (size_t c = 0; c < totals.size(); ++c)
      if (totals[c] < limit) {
        overtaken += expected.has_value();
        expected = c;
        limit = totals[c] / 2;
      }
    ASSERT_EQ(chooseForList(candidates), expected);
  }
  EXPECT_GT(overtaken, 100u);
}

Bundle productOf(uint32_t rows, uint32_t columns) {
  const Model model = test::modelOf({rows, rows, columns}, {{0, 1}, {1, 2}}, false);
  Diagnostics diagnostics;
  return buildBundle(model, buildProgram(model, model.queries.front(), {}, diagnostics), {});
}

/// The choice among all requests, memories and machines, compared with the rule itself: the least
/// of the times that placeProgram predicts for each method that may be taken.
TEST(ChooseAnswer, TakesTheLeastTimeOfWhatMayBeTaken) {
  const Bundle bundles[] = {productOf(16, 8), productOf(256, 64), productOf(256, 4096)};
  for (const Bundle &bundle : bundles)
    for (const double runs : {1.0, 50.0, 1e6})
      for (const PlacementMethodName &method : placementMethods())
        for (const bool hasGpu : {false, true})
          for (const bool fitsHost : {false, true}) {
            AnswerConditions conditions{
                {{}, method.method}, [runs] {
                  return PlacementConditions{1, runs, machineOf(shippedSpeed()), false};
                }};
            conditions.hostBytes = [fitsHost] { return fitsHost ? UINT64_MAX : 0; };
            conditions.hasGpu = [hasGpu] { return hasGpu; };
            conditions.predictsAll = true;
            const AnswerPlan plan = chooseAnswer(bundle, conditions).plan;
            ASSERT_EQ(answerPlanFault(plan, &bundle), "");
            ASSERT_EQ(plan.candidates.size(), 4u);
            PlacementMethod expected = method.method;
            if (method.method == PlacementMethod::Auto) {
              const PlacementMethod taken[] = {PlacementMethod::Cpu, PlacementMethod::Gpu,
                                               PlacementMethod::Greedy,
                                               PlacementMethod::Acceleration};
              const auto timeUs = [&](PlacementMethod each) {
                return placeProgram(bundle, each, conditions.costs()).timeUs;
              };
              expected = *std::ranges::min_element(taken, {}, timeUs);
              if (!hasGpu)
                expected = PlacementMethod::Cpu;
              else if (!fitsHost)
                expected = PlacementMethod::Gpu;
            } else if (!fitsHost && method.method != PlacementMethod::Cpu) {
              expected = PlacementMethod::Gpu;
            }
            EXPECT_EQ(plan.choice().method, expected)
                << method.name << runs << hasGpu << fitsHost << printAnswerPlan(plan);
          }
}

/// Programs without a bundle have the same rule: whether a GPU runs them follows from two times,
/// the host's memory and the machine. The GPU is looked for only if it could win.
TEST(ChooseRoughly, TakesTheGpuWhereItIsFasterOrTheHostIsTooSmall) {
  for (const double gpuUs : {50.0, 100.0, 150.0})
    for (const PlacementMethodName &method : placementMethods())
      for (const bool hasGpu : {false, true})
        for (const bool fitsHost : {false, true}) {
          AnswerConditions conditions;
          conditions.devices = {{}, method.method};
          conditions.hostBytes = [fitsHost] { return fitsHost ? 1000 : 999; };
          bool isAsked = false;
          conditions.hasGpu = [hasGpu, &isAsked] {
            isAsked = true;
            return hasGpu;
          };
          const AnswerPlan plan = chooseRoughly({"q", 1000, 100, gpuUs, 40}, conditions);
          EXPECT_EQ(answerPlanFault(plan), "");
          const bool isOpen = method.method == PlacementMethod::Auto;
          const bool pays = gpuUs < 100 || !fitsHost;
          const bool prefersGpu = !isOpen && method.method != PlacementMethod::Cpu;
          EXPECT_EQ(plan.usesGpu(), prefersGpu || (isOpen && pays && hasGpu))
              << method.name << gpuUs << hasGpu << fitsHost;
          EXPECT_EQ(isAsked, isOpen && pays);
          if (isOpen && pays && hasGpu && fitsHost) {
            EXPECT_EQ(plan.choice().runUs, gpuUs - 40);
            EXPECT_EQ(plan.choice().onceUs, 40);
          }
        }
}

/// Cheaper questions give the same answers as complete ones.
TEST(ChooseAnswer, PredictsWhatDecidesAlone) {
  const Bundle bundle = productOf(256, 4096);
  for (const double runs : {1.0, 1e6})
    for (const PlacementMethodName &method : placementMethods()) {
      AnswerConditions conditions{
          {{}, method.method}, [runs] {
            return PlacementConditions{1, runs, machineOf(shippedSpeed()), false};
          }};
      const AnswerPlan quick = chooseAnswer(bundle, conditions).plan;
      conditions.predictsAll = true;
      EXPECT_EQ(chooseAnswer(bundle, conditions).plan.choice().method, quick.choice().method);
    }
}

TEST(ChooseAnswer, AFaultOfTheGpuIsReportedWhereOneWasConsidered) {
  Bundle bundle = productOf(16, 8);
  bundle.gpuFault = "it burns";
  AnswerConditions conditions;
  conditions.costs = [] { return PlacementConditions(); };
  EXPECT_EQ(chooseAnswer(bundle, conditions).plan.gpuFault, "it burns");
  conditions.devices.spread = PlacementMethod::Greedy;
  EXPECT_EQ(chooseAnswer(bundle, conditions).plan.gpuFault, "it burns");
  EXPECT_FALSE(chooseAnswer(bundle, conditions).plan.usesGpu());
  conditions.devices = DeviceRequest::cpu();
  EXPECT_EQ(chooseAnswer(bundle, conditions).plan.gpuFault, "");
  conditions.devices = DeviceRequest::gpu();
  EXPECT_TRUE(chooseAnswer(bundle, conditions).plan.usesGpu()) << "its errors are no offers";
}

} // namespace
} // namespace mpf
