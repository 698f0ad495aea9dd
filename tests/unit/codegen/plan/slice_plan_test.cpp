// Tests sliced programs: they mean what the query means, keep their text form, and keep to the
// memory bound. Work that does not depend on slices is shared between them.
#include "codegen/plan/build_program.h"
#include "codegen/plan/initial/initial_program.h"
#include "codegen/plan/order/choose_order.h"
#include "codegen/plan/program/print_program.h"
#include "codegen/plan/program/program_memory.h"
#include "codegen/plan/program/read_program.h"
#include "codegen/plan/program/slice_levels.h"
#include "codegen/plan/program/verify_program.h"
#include "dsl/support/error.h"
#include "tests/oracle/brute/evaluate_program.h"
#include "tests/oracle/brute/model_brute_force.h"
#include "tests/oracle/models/random_models.h"
#include "tests/oracle/models/sliced_programs.h"
#include "tests/unit/codegen/plan/bounded_plans.h"
#include "tests/unit/codegen/plan/small_models.h"

#include <cmath>
#include <gtest/gtest.h>
#include <optional>

using namespace mpf;
using namespace mpf::test;

namespace {

constexpr QueryKind kSlicedKinds[] = {QueryKind::Evidence, QueryKind::Expression, QueryKind::Joint,
                                      QueryKind::Mpe, QueryKind::Marginals};

TEST(LoopTree, FollowsFromWhatTablesShare) {
  // Loops 1 and 3 share a table, 4 is alone, 5 is tied to 2 only.
  const std::vector<uint64_t> sets{0b00101, 0b01000, 0b10010};
  const LoopTree tree = loopTreeOf(5, sets);
  EXPECT_EQ(tree.parents(), (std::vector<uint32_t>{0, 0, 1, 0, 2}));
  EXPECT_TRUE(tree.contains(2, 5));
  EXPECT_TRUE(tree.contains(0, 4));
  EXPECT_FALSE(tree.contains(1, 5));
  EXPECT_EQ(tree.childTowards(0, 5), 2u);
  // The rest of {2, 4, 5} after summing out 5 ties 4 to 2.
  const std::vector<uint64_t> filled{0b11010};
  EXPECT_EQ(loopTreeOf(5, filled).parents(), (std::vector<uint32_t>{0, 0, 0, 2, 4}));
  LoopPosition position(tree);
  std::string walk;
  for (const uint32_t loop : {0, 3, 1, 4, 5, 0})
    position.moveTo(
        loop, [&walk](uint32_t k) { walk += fmt::format("-{}", k); },
        [&walk](uint32_t k) { walk += fmt::format("+{}", k); });
  EXPECT_EQ(walk, "+1+3-3-1+4-4+2+5-5-2");
}

TEST(SlicePlan, MeansTheSameWhateverIsSliced) {
  std::mt19937_64 random(17);
  size_t sliced = 0;
  for (int i = 0; i < 1500 && !HasFailure(); ++i) {
    Model model = oracle::randomModel(random, {});
    Query query = oracle::randomQuery(random, model, kSlicedKinds[i % 5]);
    oracle::askSome(random, model, query);
    PlanHooks hooks;
    if (i % 3 == 0)
      hooks.offPasses = {"join-buckets", "order-operations"};
    const TableProgram program = oracle::randomlySliced(random, model, query, 1 + i / 5 % 4, hooks);
    sliced += SliceLevels(program).count();
    const oracle::BruteAnswer expected = oracle::bruteForce(model, query);
    const oracle::EvaluatedProgram actual = oracle::evaluateProgram(model, program);
    if (query.kind == QueryKind::Marginals && expected.tables.at("evidence").values[0] == 0)
      continue; // no marginal is defined
    SCOPED_TRACE(fmt::format("model {}\n{}", i, printProgram(program)));
    for (const auto &[name, table] : expected.tables) {
      const auto &values = actual.outputs.at(name);
      ASSERT_EQ(values.size(), table.values.size());
      for (size_t e = 0; e < values.size(); ++e)
        ASSERT_TRUE(oracle::sameAnswer(values[e], table.values[e]))
            << values[e] << " " << table.values[e];
    }
    if (query.kind == QueryKind::Mpe) {
      ASSERT_TRUE(
          oracle::sameAnswer(oracle::productAt(model, query, actual.assignment), expected.best));
    }
  }
  EXPECT_GT(sliced, 1000u);
}

TEST(SlicePlan, TextFormReadsBack) {
  std::mt19937_64 random(18);
  for (int i = 0; i < 200; ++i) {
    Model model = oracle::randomModel(random, {});
    Query query = oracle::randomQuery(random, model, kSlicedKinds[i % 5]);
    oracle::askSome(random, model, query);
    const TableProgram program = oracle::randomlySliced(random, model, query, 3);
    const std::string text = printProgram(program);
    Diagnostics diagnostics;
    const auto again = readPrograms(std::make_shared<SourceBuffer>("plan", text), diagnostics);
    ASSERT_TRUE(again) << renderDiagnostics(diagnostics) << text;
    ASSERT_EQ(printProgram(again->front().program), text);
  }
}

TEST(SlicePlan, KeepsToTheBound) {
  const Model model = grid(14, 14);
  Diagnostics diagnostics;
  PlanOptions options;
  options.runCosts.expectedRuns = 10; // both searches are thorough
  options.runCosts.operationUs = 0;   // only addresses count, because they are compared
  const TableProgram whole = buildProgram(model, model.queries[0], options, diagnostics);
  ASSERT_EQ(SliceLevels(whole).count(), 0u);
  const MemoryPlan memory = planMemory(whole, ElementType::F64);
  for (const uint64_t share : {2, 4, 8}) {
    options.maxMemoryBytes = memory.inputArenaBytes + memory.workArenaBytes / share;
    Diagnostics reported;
    const TableProgram program = buildProgram(model, model.queries[0], options, reported);
    EXPECT_LE(peakOf(program), options.maxMemoryBytes);
    const double factor = totalAddresses(program) / totalAddresses(whole);
    EXPECT_GT(SliceLevels(program).count(), 0u);
    // Sweeps around a pivot: every message has all the sliced variables.
    EXPECT_LT(factor, 2) << share;
    ASSERT_EQ(reported.all().size(), 1u);
    EXPECT_EQ(reported.all()[0].severity, Severity::Performance);
    EXPECT_NE(reported.all()[0].message.find("slices"), std::string::npos);
  }
}

/// A plan that is quick to find is found in any time.
TEST(SlicePlan, ShortTimesAreEnough) {
  const Model model = grid(24, 24);
  for (const double seconds : {0.0, 0.01, 0.05}) {
    PlanOptions options;
    options.maxMemoryBytes = uint64_t{4} << 20; // 64 MiB without slices
    options.search.seconds = seconds;
    Diagnostics diagnostics;
    const TableProgram program = buildProgram(model, model.queries[0], options, diagnostics);
    EXPECT_LE(peakOf(program), options.maxMemoryBytes);
    EXPECT_LT(SliceLevels(program).sliceCount(), 1e5) << seconds;
  }
}

TEST(SlicePlan, SamePlanEveryTime) {
  const Model model = grid(13, 13);
  PlanOptions options;
  options.maxMemoryBytes = 80'000;
  Diagnostics diagnostics;
  EXPECT_GT(SliceLevels(buildProgram(model, model.queries[0], options, diagnostics)).count(), 0u);
  EXPECT_EQ(printProgram(buildProgram(model, model.queries[0], options, diagnostics)),
            printProgram(buildProgram(model, model.queries[0], options, diagnostics)));
}

TEST(SlicePlan, ItsRoundsRepeatIt) {
  const Model model = grid(13, 13);
  Diagnostics diagnostics;
  for (const std::optional<double> seconds : {std::optional<double>(), std::optional(30.0)}) {
    PlanOptions options;
    options.maxMemoryBytes = 80'000;
    options.search.seconds = seconds;
    const TableProgram program = buildProgram(model, model.queries[0], options, diagnostics);
    ASSERT_GT(SliceLevels(program).count(), 0u);
    options.search.seconds.reset();
    options.search.rounds = program.searchRounds;
    EXPECT_EQ(printProgram(buildProgram(model, model.queries[0], options, diagnostics)),
              printProgram(program));
  }
}

/// The time covers the search for slices as well; a number of rounds does not repeat a search that
/// it cuts off.
TEST(SlicePlan, ATimeThatIsOverStillGivesAPlan) {
  const Model model = grid(13, 13);
  Diagnostics diagnostics;
  PlanOptions options;
  options.maxMemoryBytes = 80'000;
  options.search.seconds = 1e-4;
  const TableProgram program = buildProgram(model, model.queries[0], options, diagnostics);
  EXPECT_GT(SliceLevels(program).count(), 0u);
  EXPECT_LE(peakOf(program), options.maxMemoryBytes);
  EXPECT_EQ(program.searchRounds, 0u);
}

/// A 2 x n ladder is attached to a clique of k variables: slicing the clique leaves the ladder
/// alone.
TEST(SlicePlan, WhatDoesNotDependOnASliceRunsOnce) {
  std::vector<std::vector<uint32_t>> scopes;
  const uint32_t clique = 16, ladder = 40;
  for (uint32_t a = 0; a < clique; ++a)
    for (uint32_t b = 0; b < a; ++b)
      scopes.push_back({b, a});
  for (uint32_t i = 0; i < ladder; ++i)
    scopes.push_back({i == 0 ? 0 : clique + i - 1, clique + i});
  const Model model = modelOf(std::vector<uint32_t>(clique + ladder, 2), scopes, false);
  PlanOptions options;
  options.maxMemoryBytes = 80'000;
  Diagnostics diagnostics;
  const TableProgram program = buildProgram(model, model.queries[0], options, diagnostics);
  const SliceLevels levels(program);
  ASSERT_GT(levels.count(), 0u);
  size_t once = 0;
  for (const Operation &operation : program.operations)
    once += levels.ofOperation(operation) == 0;
  EXPECT_GE(once, ladder / 4); // joined buckets of the ladder
}

/// Cliques in a row are joined by single variables. Each has a separate loop, which ends before the
/// next one begins.
TEST(SlicePlan, LoopsEndWhereTheirVariablesDo) {
  const uint32_t clique = 14, count = 5;
  std::vector<std::vector<uint32_t>> scopes;
  for (uint32_t c = 0; c < count; ++c)
    for (uint32_t a = 0; a < clique; ++a)
      for (uint32_t b = 0; b < a; ++b)
        scopes.push_back({c * (clique - 1) + b, c * (clique - 1) + a});
  Model model = modelOf(std::vector<uint32_t>(count * (clique - 1) + 1, 2), scopes, false);
  for (const bool joint : {false, true}) {
    if (joint)
      model.queries[0] = shortQuery(model, QueryKind::Joint, {VarId{size_t{0}}});
    const auto [whole, program, boundBytes] = plannedWithin(model, 6);
    EXPECT_LE(peakOf(program), boundBytes);
    const SliceLevels levels(program);
    ASSERT_GE(levels.count(), count);
    EXPECT_LT(totalAddresses(program), 3 * totalAddresses(whole));
    // Were every loop inside the others, there would be 2 to the power of their number.
    EXPECT_LE(8 * levels.sliceCount(), std::exp2(levels.count()) * levels.count());
  }
}

TEST(SlicePlan, RefusalNamesTheSmallestPeak) {
  const Model model = grid(12, 12);
  PlanOptions options;
  options.maxMemoryBytes = 1000; // less than the inputs
  Diagnostics diagnostics;
  try {
    buildProgram(model, model.queries[0], options, diagnostics);
    ADD_FAILURE() << "not refused";
  } catch (const Error &error) {
    EXPECT_EQ(error.kind(), ErrorKind::MemoryBound);
    const std::string text = error.what();
    EXPECT_NE(text.find("the bound is 1000 bytes"), std::string::npos) << text;
    EXPECT_NE(text.find("slices"), std::string::npos) << text;
  }
}

TEST(SlicePlan, MarginalsKeepToTheBound) {
  Model model = grid(12, 12);
  model.queries[0].kind = QueryKind::Marginals;
  Diagnostics diagnostics;
  const TableProgram whole = buildProgram(model, model.queries[0], {}, diagnostics);
  PlanOptions options;
  options.maxMemoryBytes = peakOf(whole) / 4;
  const TableProgram program = buildProgram(model, model.queries[0], options, diagnostics);
  EXPECT_GT(SliceLevels(program).count(), 0u);
  EXPECT_LE(peakOf(program), options.maxMemoryBytes);
  EXPECT_EQ(program.outputs.size(), 12u * 12 + 1);
  EXPECT_LT(totalAddresses(program), 2 * totalAddresses(whole));
}

/// Equal models are side by side: their loops follow each other, so work grows in proportion.
TEST(SlicePlan, LoopsOfIndependentPartsAreNotNested) {
  const auto copies = [](uint32_t count) {
    std::vector<std::vector<uint32_t>> scopes;
    constexpr uint32_t kSide = 10, kSize = kSide * kSide;
    std::vector<uint32_t> extents(count * kSize, 2);
    for (uint32_t copy = 0; copy < count; ++copy) {
      extents[copy * kSize] +=
          copy; // equal ones would be searched together, for an order that fits
      for (const Factor &factor : grid(kSide, kSide).factors) {
        scopes.emplace_back();
        for (const VarId id : factor.scope)
          scopes.back().push_back(copy * kSize + id.value);
      }
    }
    return modelOf(extents, scopes, false);
  };
  for (const QueryKind kind : {QueryKind::Evidence, QueryKind::Marginals}) {
    double single = 0;
    for (const uint32_t count : {1, 3}) {
      Model model = copies(count);
      model.queries[0].kind = kind;
      const auto [whole, program, boundBytes] = plannedWithin(model, 3);
      const SliceLevels levels(program);
      ASSERT_GE(levels.count(), std::min(count, 2u)); // a part may find an order that fits
      EXPECT_LE(peakOf(program), boundBytes);
      const double factor = totalAddresses(program) / totalAddresses(whole);
      if (count == 1)
        single = factor;
      else
        EXPECT_LT(factor, 2 * single) << levels.count() << " loops";
    }
  }
}

TEST(SlicePlan, VerifierNoticesBrokenLoops) {
  std::mt19937_64 random(5);
  const Model model = grid(3, 3);
  const TableProgram right = oracle::randomlySliced(random, model, model.queries[0], 2);
  ASSERT_FALSE(verifyProgram(right)) << *verifyProgram(right);
  const auto firstAccumulation = [&](TableProgram &p) -> Operation & {
    const SliceLevels levels(p);
    return *std::find_if(p.operations.begin(), p.operations.end(),
                         [&](const Operation &o) { return levels.accumulates(o); });
  };
  const auto refused = [&](const char *why, const std::function<void(TableProgram &)> &change) {
    TableProgram wrong = right;
    change(wrong);
    const std::string fault = verifyProgram(wrong).value_or("");
    EXPECT_NE(fault.find(why), std::string::npos) << fault;
  };
  refused("is not among the first of the order", // the second is sliced, the first is not
          [](TableProgram &p) { p.variables[p.order[0].index()].sliced = false; });
  refused("is not among the first of the order",
          [](TableProgram &p) { p.variables[p.order[4].index()].sliced = true; });
  refused("it holds one slice only",
          [&](TableProgram &p) { p.outputs[0].table = firstAccumulation(p).operands[0]; });
  refused("do not follow the global order",
          [&](TableProgram &p) { firstAccumulation(p).reduced.push_back(p.order[0]); });
  refused("entries, its scope needs", [&](TableProgram &p) {
    std::swap(p.tables[firstAccumulation(p).result.index()].sizeElems, p.tables[0].sizeElems);
  });
}

} // namespace
