// The engine of a list that is opened, and those that answer if it refuses.
#include "runtime/engine/list/planned_list.h"

#include "dsl/support/error.h"
#include "runtime/choose/answer/choose_for_list.h"
#include "runtime/choose/answer/verify_answer.h"

#include <functional>
#include <gtest/gtest.h>
#include <memory>
#include <new>
#include <optional>
#include <string>
#include <utility>
#include <vector>

namespace mpf {
namespace {

/// Returns a list of `count` rows; none: of unknown length.
CaseLoad rows(std::optional<uint64_t> count) { return {count, {}}; }

/// An engine that opens, or throws when it is opened.
ListEngine engineOf(
    AnswerForm form, double rowsPerSecond, uint64_t casesAtOnce,
    std::function<CaseEngine()> open = [] { return CaseEngine(); }) {
  PlannedEngine plan;
  plan.speed = {rowsPerSecond, casesAtOnce, 0};
  plan.facts = [plan, form] {
    EngineFacts facts;
    facts.name = traitsOf(form).name;
    facts.rowsPerSecond = plan.speed.rowsPerSecond;
    facts.casesAtOnce = plan.speed.casesAtOnce;
    facts.caseBytes = 10;
    facts.sharedBytes = 5;
    return std::vector{facts};
  };
  plan.open = std::move(open);
  ListEngine engine{form, false, false, [plan] { return plan; }};
  engine.plan = plan;
  return engine;
}

std::function<CaseEngine()> refuses(ErrorKind kind, const char *message) {
  return [=]() -> CaseEngine { throw Error(kind, message); };
}
CaseEngine runsOut() { throw std::bad_alloc(); }

/// An engine whose planning was refused.
ListEngine refusing(AnswerForm form, ErrorKind error, const char *message) {
  ListEngine engine = engineOf(form, 1, 1);
  engine.plan.reset();
  engine.refusal = std::make_exception_ptr(Error(error, message));
  return engine;
}

std::vector<ListEngine> threeEngines() {
  return {engineOf(AnswerForm::Lanes, 1e5, 33792), engineOf(AnswerForm::Tables, 7e4, 64),
          engineOf(AnswerForm::SingleRuns, 1e3, 1)};
}

PlannedList listOf(const CaseLoad &load, std::vector<ListEngine> engines,
                   const std::string &gpuFault = "") {
  return {{"q", {}, load}, std::move(engines), std::make_shared<const std::string>(gpuFault)};
}

/// Returns the choice, which the plan's own check repeats.
size_t chosenOf(const CaseLoad &load, std::vector<ListEngine> engines) {
  PlannedList list = listOf(load, std::move(engines));
  EXPECT_TRUE(list.choose());
  EXPECT_EQ(answerPlanFault(list.answer()), "");
  return list.answer().chosen;
}

TEST(PlannedList, LanesForManyCases) {
  EXPECT_EQ(chosenOf(rows(1'000'000), threeEngines()), 0u);
  EXPECT_EQ(chosenOf(rows(std::nullopt), threeEngines()), 1u) << "of 10,000 rows: 0.34 and 0.14 s";
}

TEST(PlannedList, FewCasesLeaveMostLanesEmpty) {
  EXPECT_EQ(chosenOf(rows(64), threeEngines()), 1u);
  EXPECT_EQ(chosenOf(rows(1), threeEngines()), 1u)
      << "a run of the second takes as long as one of the third, which is not clearly faster";
}

TEST(PlannedList, ALittleFasterIsNotEnough) {
  std::vector<ListEngine> engines = threeEngines();
  engines[0].plan->speed = {5e4, 1, 0};
  EXPECT_EQ(chosenOf(rows(6400), engines), 0u);
}

TEST(PlannedList, WhatAllCasesShareCounts) {
  std::vector<ListEngine> engines = threeEngines();
  engines[0].plan->speed.sharedSeconds = 100;
  EXPECT_EQ(chosenOf(rows(1'000'000), engines), 1u) << "110 and 14 s";
  EXPECT_EQ(chosenOf(rows(100'000'000), engines), 0u) << "1100 and 1429 s";
}

TEST(PlannedList, AGpuIsStartedWhereThatPays) {
  std::vector<ListEngine> engines = {engineOf(AnswerForm::Lanes, 1e6, 2),
                                     engineOf(AnswerForm::Lanes, 1e9, 67584)};
  engines[1].onGpu = engines[1].triesGpu = true;
  engines[1].plan->speed.startSeconds = 0.5;
  EXPECT_EQ(chosenOf(rows(900'000), engines), 0u);
  EXPECT_EQ(chosenOf(rows(10'000'000), engines), 1u);
  EXPECT_EQ(chosenOf({900'000, 9e7}, engines), 1u) << "more lists like this one are expected";
  EXPECT_EQ(chosenOf({10'000'000, 100}, engines), 0u) << "the list is cut short";
}

/// Engines that were not worth planning are planned, in their order, when all others refuse.
TEST(PlannedList, WhatWasNotWorthPlanningComesLast) {
  std::vector<ListEngine> engines = threeEngines();
  engines[0].isWorthPlanning = engines[1].isWorthPlanning = false;
  engines[0].plan.reset();
  engines[1].plan.reset();
  EXPECT_EQ(chosenOf(rows(64), engines), 2u);
  engines[2].refusal = std::make_exception_ptr(Error(ErrorKind::Unsupported, "no"));
  engines[0].makePlan = []() -> PlannedEngine { fail(ErrorKind::MemoryBound, "too large"); };
  PlannedList list = listOf(rows(64), engines);
  ASSERT_TRUE(list.choose());
  EXPECT_EQ(list.answer().chosen, 1u);
  EXPECT_EQ(list.answer().candidates[0].refusal, "too large");
  EXPECT_EQ(list.answer().candidates[2].refusal, "no");
}

TEST(PlannedList, OpensTheNextEngineIfTheChosenOneRefuses) {
  struct Row {
    std::vector<ListEngine> engines;
    AnswerForm opened;
    bool wasTooLarge;
  };
  const auto lanes = [](auto open) { return engineOf(AnswerForm::Lanes, 100, 1, open); };
  const auto tables = [](auto open) { return engineOf(AnswerForm::Tables, 90, 1, open); };
  const ListEngine single = engineOf(AnswerForm::SingleRuns, 1, 1);
  const auto tooLarge = refuses(ErrorKind::MemoryBound, "too large");
  const auto unsupported = refuses(ErrorKind::Unsupported, "no logs");
  for (const Row &row :
       {Row{{lanes(tooLarge), tables([] { return CaseEngine(); }), single},
            AnswerForm::Tables,
            false},
        Row{{lanes(unsupported), tables(tooLarge), single}, AnswerForm::SingleRuns, true},
        Row{{lanes(unsupported), tables(unsupported), single}, AnswerForm::SingleRuns, false},
        Row{{lanes(runsOut), tables(unsupported), single}, AnswerForm::SingleRuns, true},
        Row{{refusing(AnswerForm::Lanes, ErrorKind::MemoryBound, "too large"), single},
            AnswerForm::SingleRuns,
            true},
        // It was chosen for its speed.
        Row{{refusing(AnswerForm::Lanes, ErrorKind::MemoryBound, "too large"),
             engineOf(AnswerForm::Tables, 0.1, 1), single},
            AnswerForm::SingleRuns,
            false}}) {
    PlannedList list = listOf(rows(100), row.engines);
    size_t heard = 0;
    const OpenedEngine opened = list.open([&heard](const EngineSpeed &, bool) { ++heard; });
    EXPECT_EQ(list.engines()[list.answer().chosen].form, row.opened);
    EXPECT_EQ(opened.wasTooLarge, row.wasTooLarge);
    EXPECT_GE(heard, 1u);
  }
}

std::string errorOf(std::vector<ListEngine> engines) {
  try {
    listOf(rows(100), std::move(engines)).open({});
  } catch (const Error &error) {
    return error.what();
  } catch (const std::bad_alloc &) {
    return "bad_alloc";
  }
  return "";
}

TEST(PlannedList, ManyRefusalsAreOneError) {
  const auto lanes = [](std::function<CaseEngine()> open) {
    return engineOf(AnswerForm::Lanes, 100, 1, std::move(open));
  };
  const auto unsupported = refuses(ErrorKind::Unsupported, "no logs");
  const auto tooLarge = refuses(ErrorKind::MemoryBound, "too large");
  const auto larger = refuses(ErrorKind::MemoryBound, "larger");
  EXPECT_EQ(errorOf({lanes(unsupported)}), "no logs");
  EXPECT_EQ(errorOf({lanes(unsupported), lanes(tooLarge)}), "too large");
  EXPECT_EQ(errorOf({lanes(tooLarge), lanes(unsupported)}), "too large")
      << "with more memory it would answer";
  EXPECT_EQ(errorOf({lanes(tooLarge), lanes(larger), lanes(unsupported)}), "larger");
  EXPECT_EQ(errorOf({lanes(unsupported), lanes(runsOut)}), "bad_alloc");
}

TEST(PlannedList, OtherErrorsEndTheSearch) {
  for (const ErrorKind kind : {ErrorKind::BadInput, ErrorKind::Device, ErrorKind::Internal})
    EXPECT_EQ(errorOf({engineOf(AnswerForm::Lanes, 100, 1, refuses(kind, "broken")),
                       engineOf(AnswerForm::Tables, 90, 1)}),
              "broken");
}

TEST(PlannedList, DescriptionsFindTheRefusalsOfOpening) {
  std::vector<ListEngine> engines = threeEngines();
  engines[0].plan->facts = []() -> std::vector<EngineFacts> {
    fail(ErrorKind::MemoryBound, "too large\n  ^");
  };
  engines[2].isWorthPlanning = false;
  PlannedList list = listOf(rows(1'000'000), engines, "it burns");
  list.describe();
  const AnswerPlan &answer = list.answer();
  EXPECT_EQ(answerPlanFault(answer), "");
  EXPECT_EQ(answer.chosen, 1u);
  EXPECT_EQ(answer.candidates[0].refusal, "too large");
  EXPECT_EQ(answer.candidates[2].refusal, kCostsMore);
  EXPECT_EQ(answer.gpuFault, "it burns");
  ASSERT_EQ(answer.choice().memory.size(), 1u);
  EXPECT_EQ(answer.choice().memory[0].bytes, 5u + 64 * 10);
  EXPECT_TRUE(list.engines()[1].facts.front().chosen);
  EXPECT_TRUE(list.engines()[0].facts.front().refused);
  EXPECT_EQ(list.engines()[2].facts.front().why, "not asked: " + std::string(kCostsMore));
}

} // namespace
} // namespace mpf
