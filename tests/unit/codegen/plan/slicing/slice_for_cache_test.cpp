// Slices for speed: a plan within the memory bound runs in slices where these make the first run
// shorter, and only there.
#include "codegen/plan/build_program.h"
#include "codegen/plan/initial/initial_program.h"
#include "codegen/plan/program/program_memory.h"
#include "codegen/plan/program/program_statistics.h"
#include "codegen/plan/program/slice_levels.h"
#include "codegen/plan/slicing/slice_for_cache.h"
#include "tests/oracle/brute/evaluate_program.h"
#include "tests/oracle/brute/model_brute_force.h"
#include "tests/oracle/models/random_models.h"
#include "tests/unit/codegen/plan/bounded_plans.h"
#include "tests/unit/codegen/plan/small_models.h"

#include <atomic>
#include <gtest/gtest.h>
#include <random>

using namespace mpf;
using namespace mpf::test;

namespace {

/// Two layers of binary variables, with a factor for each pair of one of either layer: all large
/// buckets have most of one layer. `chain`: variables of a chain that hangs on the last one.
Model layers(uint32_t each, uint32_t chain = 0) {
  std::vector<std::vector<uint32_t>> scopes;
  for (uint32_t a = 0; a < each; ++a)
    for (uint32_t b = 0; b < each; ++b)
      scopes.push_back({a, each + b});
  for (uint32_t i = 0; i < chain; ++i)
    scopes.push_back({2 * each + i - 1, 2 * each + i});
  return binaryModel(2 * each + chain, scopes);
}

/// Options of a machine on which an address takes a nanosecond, and pages and cache cost as given.
PlanOptions optionsWith(const MemoryPrice &memory) {
  PlanOptions options;
  options.search.rounds = 4;
  options.runCosts.memory = memory;
  options.programUs = [](const Model &, const TableProgram &program, PredictedKernels) {
    return 1e-3 * totalAddresses(program);
  };
  return options;
}

TableProgram planned(const Model &model, const PlanOptions &options) {
  Diagnostics diagnostics;
  TableProgram program = buildProgram(model, model.queries.front(), options, diagnostics);
  EXPECT_TRUE(diagnostics.all().empty()) << renderDiagnostics(diagnostics);
  return program;
}

bool isSliced(const TableProgram &program) { return SliceLevels(program).count() > 0; }

constexpr MemoryPrice kDear{.largeTouchUs = 1000, .smallTouchUs = 2, .cacheBytes = 1 << 20};

TEST(SliceForCache, PagesThatCostMoreThanArithmeticAreSaved) {
  const Model model = layers(20);
  const TableProgram whole = planned(model, optionsWith({})),
                     sliced = planned(model, optionsWith(kDear));
  EXPECT_FALSE(isSliced(whole));
  ASSERT_TRUE(isSliced(sliced));
  EXPECT_GT(peakOf(whole), 16u << 20);
  EXPECT_LE(peakOf(sliced), 1u << 20);
  EXPECT_LT(totalAddresses(sliced), 1.1 * totalAddresses(whole));
}

TEST(SliceForCache, PlansStayWholeWhereNothingIsGained) {
  const Model model = layers(20);
  MemoryPrice cheap = kDear;
  cheap.largeTouchUs = cheap.smallTouchUs = 1e-3;
  EXPECT_FALSE(isSliced(planned(model, optionsWith(cheap))));
  MemoryPrice large = kDear;
  large.cacheBytes = 1 << 30;
  EXPECT_FALSE(isSliced(planned(model, optionsWith(large))));
  PlanOptions often = optionsWith(kDear);
  often.runCosts.expectedRuns = 1e6; // the pages cost once
  EXPECT_FALSE(isSliced(planned(model, often)));
  PlanOptions kept = optionsWith(kDear);
  kept.keep = KeptMessages::Constant;
  EXPECT_FALSE(isSliced(planned(model, kept)));
  PlanOptions unpredicted = optionsWith(kDear);
  unpredicted.programUs = {};
  EXPECT_FALSE(isSliced(planned(model, unpredicted)));
  EXPECT_FALSE(isSliced(planned(layers(6), optionsWith(kDear)))) << "it is in the cache";
}

/// When the time for planning is up, slices are still found in few steps, and no more in many. The
/// chain makes steps dear.
TEST(SliceForCache, TimeThatIsUpEndsTheDraft) {
  PlanOptions options = optionsWith(kDear);
  Diagnostics diagnostics;
  const std::atomic<bool> stop{true};
  const auto slicedOf = [&](const Model &model, const std::atomic<bool> *flag) {
    const TableProgram initial = initialProgram(model, model.queries.front(), diagnostics);
    options.search.stop = nullptr;
    const OrderChoices orders = chooseOrders(model, initial, options, diagnostics);
    options.search.stop = flag;
    const auto sliced = sliceForCache(initial, orders.choices.front(), options, {1, 1e9, 1e9});
    return sliced ? sliced->slicedCount : 0;
  };
  const Model few = layers(20), many = layers(20, 10'000);
  const size_t usual = slicedOf(few, nullptr);
  EXPECT_GT(usual, 2u);
  EXPECT_EQ(slicedOf(few, &stop), usual);
  EXPECT_EQ(slicedOf(many, nullptr), usual);
  EXPECT_LT(slicedOf(many, &stop), usual);
}

/// Slices must shorten the first runs to less than is asked, in the time that estimates may take.
TEST(SliceForCache, DraftsEndWhereTheyCannotPay) {
  const PlanOptions options = optionsWith(kDear);
  Diagnostics diagnostics;
  const Model model = layers(20);
  const TableProgram initial = initialProgram(model, model.queries.front(), diagnostics);
  const OrderChoice order = chooseOrders(model, initial, options, diagnostics).choices.front();
  const auto slicedOf = [&](const WholeRuns &whole) {
    const auto sliced = sliceForCache(initial, order, options, whole);
    return sliced ? sliced->slicedCount : 0;
  };
  const double runUs = 4000, cacheUs = options.runCosts.touchUs(kDear.cacheBytes);
  const size_t usual = slicedOf({runUs, 2 * runUs, 1e9});
  EXPECT_GT(usual, 2u);
  EXPECT_EQ(slicedOf({runUs, runUs + cacheUs / 100, 1e9}), 0u) << "they save less";
  EXPECT_EQ(slicedOf({runUs, runUs / 2, 1e9}), 0u);
  EXPECT_EQ(slicedOf({runUs, -1, 1e9}), 0u);
  EXPECT_EQ(slicedOf({runUs, 2 * runUs, 0}), 0u);
  const size_t hasty = slicedOf({runUs, 2 * runUs, 100});
  EXPECT_LT(hasty, usual);
}

/// A grid has no variables in common to all large buckets: slices cost work.
TEST(SliceForCache, WorkThatSlicesAddIsWeighed) {
  const Model model = grid(16, 16);
  const double wholeUs = 1e-3 * totalAddresses(planned(model, optionsWith({})));
  for (const double touchUs : {0.1, 1.0, 10.0, 100.0, 1000.0}) {
    const MemoryPrice price{
        .largeTouchUs = 512 * touchUs, .smallTouchUs = touchUs, .cacheBytes = 1 << 16};
    const PlanOptions options = optionsWith(price);
    const TableProgram program = planned(model, options);
    const auto touched = [&](const TableProgram &of) {
      return firstTouchUs(price, static_cast<double>(peakOf(of)));
    };
    EXPECT_LE(1e-3 * totalAddresses(program) + touched(program),
              wholeUs + touched(planned(model, optionsWith({}))))
        << touchUs;
  }
}

/// Fourteen binary variables, with random factors over most of their pairs.
Model denseModel(std::mt19937_64 &random) {
  constexpr uint32_t kVariables = 14;
  std::vector<std::vector<uint32_t>> scopes;
  for (uint32_t a = 0; a < kVariables; ++a)
    for (uint32_t b = 0; b < a; ++b)
      if (oracle::unit(random) < 0.8)
        scopes.push_back({b, a});
  Model model = modelOf(std::vector<uint32_t>(kVariables, 2), scopes);
  for (Factor &factor : model.factors) {
    std::vector<double> values(4);
    for (double &value : values)
      value = 1 - oracle::unit(random);
    factor.values = std::make_shared<const std::vector<double>>(std::move(values));
  }
  return model;
}

TEST(SliceForCache, AnswersStayTheSame) {
  std::mt19937_64 random(49);
  constexpr QueryKind kKinds[] = {QueryKind::Evidence, QueryKind::Joint, QueryKind::Mpe,
                                  QueryKind::Marginals};
  size_t sliced = 0;
  for (int i = 0; i < 80 && !HasFailure(); ++i) {
    const Model model = denseModel(random);
    const Query query = oracle::randomQuery(random, model, kKinds[i % 4]);
    PlanOptions options =
        optionsWith({.largeTouchUs = 1e9, .smallTouchUs = 1e9, .cacheBytes = 4096});
    options.programUs = [](const Model &, const TableProgram &, PredictedKernels) { return 1.0; };
    Diagnostics diagnostics;
    const TableProgram program = buildProgram(model, query, options, diagnostics);
    sliced += isSliced(program);
    const oracle::BruteAnswer expected = oracle::bruteForce(model, query);
    const oracle::EvaluatedProgram actual = oracle::evaluateProgram(model, program);
    if (query.kind == QueryKind::Marginals && expected.tables.at("evidence").values[0] == 0)
      continue; // no marginal is defined
    for (const auto &[name, table] : expected.tables) {
      const auto &values = actual.outputs.at(name);
      ASSERT_EQ(values.size(), table.values.size());
      for (size_t e = 0; e < values.size(); ++e)
        ASSERT_TRUE(oracle::sameAnswer(values[e], table.values[e])) << i << " " << name;
    }
    if (query.kind == QueryKind::Mpe) {
      ASSERT_TRUE(
          oracle::sameAnswer(oracle::productAt(model, query, actual.assignment), expected.best));
    }
  }
  EXPECT_GT(sliced, 20u);
}

} // namespace
