#include "runtime/choose/answer/answer_plan.h"

#include "codegen/plan/build_program.h"
#include "codegen/specialise/build_bundle.h"
#include "dsl/source/source_buffer.h"
#include "dsl/source/text_error.h"
#include "runtime/choose/answer/choose_answer.h"
#include "tests/unit/codegen/plan/small_models.h"

#include <algorithm>
#include <gtest/gtest.h>
#include <random>

namespace mpf {
namespace {

/// Returns what is read from `text`, or the message of its first error.
std::string readAgain(const std::string &text) {
  Diagnostics diagnostics;
  const auto plans =
      readAnswerPlans(std::make_shared<const SourceBuffer>("plan.txt", text), diagnostics);
  if (!plans)
    return messageOf(diagnostics);
  std::string again;
  for (const AnswerPlan &plan : *plans)
    again += printAnswerPlan(plan);
  return again;
}

class RandomPlans {
public:
  explicit RandomPlans(uint64_t seed) : random_(seed) {}

  AnswerPlan draw() {
    AnswerPlan plan;
    plan.query = text();
    plan.devices = request();
    if (below(2) == 0)
      plan.cases = number();
    plan.expectedRuns = number();
    for (uint32_t left = 1 + below(5); left > 0; --left)
      plan.candidates.push_back(candidate());
    plan.chosen = below(static_cast<uint32_t>(plan.candidates.size()));
    plan.why = text();
    if (below(3) == 0)
      plan.gpuFault = "it " + text();
    for (uint32_t left = below(3) == 0 ? below(40) : 0; left > 0; --left) {
      plan.placement.devices.push_back(below(4) == 0 ? StepDevice::Gpu : StepDevice::Cpu);
      plan.supersteps.push_back(left / 7);
    }
    return plan;
  }

  uint32_t below(uint32_t bound) { return static_cast<uint32_t>(random_() % bound); }

private:
  double number() { return std::ldexp(static_cast<double>(random_() >> 20), -30); }

  std::string text() {
    static constexpr const char *kParts[] = {"P(x)", " ", "\"", "#", "=", "\\", "é", "\n", "cpu0"};
    std::string text;
    for (uint32_t left = below(6); left > 0; --left)
      text += kParts[below(std::size(kParts))];
    return text;
  }

  DeviceRequest request() {
    const auto devices = devicesNames()[below(3)].devices;
    return {devices, devices.empty() ? placementMethods()[below(5)].method : PlacementMethod::Auto};
  }

  AnswerCandidate candidate() {
    AnswerCandidate candidate;
    candidate.form = static_cast<AnswerForm>(below(3));
    candidate.method = placementMethods()[1 + below(4)].method;
    if (below(2) == 0) {
      candidate.runUs = number();
      candidate.onceUs = number();
    }
    for (uint32_t device = below(4); device > 0; --device)
      candidate.memory.push_back(
          {{below(2) == 0 ? DeviceKind::Cpu : DeviceKind::Gpu, device}, random_()});
    if (below(3) == 0)
      candidate.refusal = "it " + text();
    return candidate;
  }

  std::mt19937_64 random_;
};

TEST(AnswerPlan, IsReadFromItsText) {
  RandomPlans plans(1);
  for (int trial = 0; trial < 2000; ++trial) {
    const AnswerPlan plan = plans.draw();
    const std::string text = printAnswerPlan(plan);
    Diagnostics diagnostics;
    const auto read =
        readAnswerPlans(std::make_shared<const SourceBuffer>("plan.txt", text), diagnostics);
    ASSERT_TRUE(read) << messageOf(diagnostics) << text;
    ASSERT_EQ(*read, std::vector{plan}) << text;
  }
}

/// Texts with lost or doubled parts are refused with a place, or read as another plan.
TEST(AnswerPlan, DamagedTextsAreReportedWithTheirPlace) {
  RandomPlans plans(2);
  for (int trial = 0; trial < 2000; ++trial) {
    std::string text = printAnswerPlan(plans.draw());
    const size_t at = plans.below(static_cast<uint32_t>(text.size()));
    text = plans.below(2) == 0 ? text.substr(0, at) + text.substr(at + 1)
                               : text.substr(0, at) + text.substr(at / 2);
    const std::string read = readAgain(text);
    EXPECT_TRUE(read.starts_with("answer ") || read.starts_with("plan.txt:")) << text << read;
  }
  EXPECT_NE(readAgain("").find("expected a line that begins with 'answer'"), std::string::npos);
  EXPECT_NE(readAgain("answer q devices=tpu schedule=auto\n").find("unknown device 'tpu'"),
            std::string::npos);
  EXPECT_NE(readAgain("answer q devices=auto schedule=auto\ncandidate tables auto\n")
                .find("expected cpu, gpu, greedy or acceleration"),
            std::string::npos);
}

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
  plan.placement.devices = {StepDevice::Cpu};
  plan.supersteps = {0};
  EXPECT_EQ(answerPlanFault(plan),
            "operations are placed on several devices, the chosen candidate uses one");
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
                  return PlacementConditions{1, runs, shippedSpeed(), false};
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

/// Cheaper questions give the same answers as complete ones.
TEST(ChooseAnswer, PredictsWhatDecidesAlone) {
  const Bundle bundle = productOf(256, 4096);
  for (const double runs : {1.0, 1e6})
    for (const PlacementMethodName &method : placementMethods()) {
      AnswerConditions conditions{{{}, method.method}, [runs] {
                                    return PlacementConditions{1, runs, shippedSpeed(), false};
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
