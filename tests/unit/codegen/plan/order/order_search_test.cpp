// The search for orders: rotations against recounting, rounds that can be repeated, ways to stop.
#include "codegen/plan/initial/initial_program.h"
#include "codegen/plan/order/choose_order.h"
#include "codegen/plan/order/elimination_tree.h"
#include "codegen/plan/order/order_dissection.h"
#include "codegen/plan/order/order_greedy.h"
#include "codegen/plan/order/order_thread.h"
#include "tests/oracle/models/random_models.h"
#include "tests/unit/codegen/plan/small_models.h"

#include <algorithm>
#include <gtest/gtest.h>
#include <limits>
#include <numeric>

using namespace mpf;
using namespace mpf::test;

namespace {

OrderProblem randomProblem(std::mt19937_64 &random, uint32_t variables, size_t scopes) {
  OrderProblem problem;
  for (uint32_t v = 0; v < variables; ++v) {
    problem.variables.push_back(VarId{v});
    problem.extents.push_back(2 + random() % 3);
  }
  for (size_t i = 0; i < scopes; ++i) {
    std::vector<Vertex> clique;
    for (size_t k = 1 + random() % 3; k > 0; --k)
      clique.push_back(static_cast<Vertex>(random() % variables));
    std::sort(clique.begin(), clique.end());
    clique.erase(std::unique(clique.begin(), clique.end()), clique.end());
    problem.cliques.push_back(clique);
  }
  problem.isOutput.assign(variables, 0);
  problem.later.resize(variables);
  problem.waitsFor.assign(variables, 0);
  return problem;
}

TEST(EliminationTree, RotationsCostWhatTheirOrdersCost) {
  std::mt19937_64 random(5);
  size_t rotated = 0;
  for (int round = 0; round < 100; ++round) {
    OrderProblem problem = randomProblem(random, 12, 20);
    if (round % 2 == 0) { // of a program in slices: its tables are in some of four loops
      problem.loopExtents = {2, 3, 5, 7};
      for (size_t i = 0; i < problem.cliques.size(); ++i)
        problem.loops.push_back(random() % 16 & random() % 16);
      for (int loop = 0; loop < 4; ++loop) // some end where no other table is in them
        problem.loopTables.push_back(
            random() % 4 == 0 ? 0
                              : static_cast<uint32_t>(std::count_if(
                                    problem.loops.begin(), problem.loops.end(),
                                    [&](uint64_t set) { return (set >> loop & 1) != 0; })));
    }
    std::vector<Vertex> order(12);
    std::iota(order.begin(), order.end(), 0U);
    std::shuffle(order.begin(), order.end(), random);
    EliminationTree tree(problem, order);
    for (int i = 0; i < 30; ++i) {
      const auto child = static_cast<Vertex>(random() % 12);
      const Vertex parent = tree.parent(child);
      if (parent == EliminationTree::kNoVertex)
        continue;
      tree.rotate(tree.tryRotation(child));
      ++rotated;
      ASSERT_EQ(tree.parent(parent), child);
      const EliminationTree built(problem, tree.sequence());
      ASSERT_NEAR(tree.cost(), built.cost(), 1e-9 * built.cost());
      ASSERT_EQ(tree.largestMessageElems(), built.largestMessageElems());
      for (Vertex v = 0; v < 12; ++v)
        ASSERT_EQ(tree.parent(v), built.parent(v));
      for (Vertex v = 0; v < 12; ++v)
        ASSERT_NEAR(tree.nodeCost(v), built.nodeCost(v), 1e-9 * built.nodeCost(v));
    }
  }
  EXPECT_GT(rotated, 1000u);
}

/// A grid: greedy rules do not find its best order at once.
Model gridOf(uint32_t side) {
  std::vector<std::vector<uint32_t>> scopes;
  for (uint32_t i = 0; i < side * side; ++i) {
    if (i % side + 1 < side)
      scopes.push_back({i, i + 1});
    if (i + side < side * side)
      scopes.push_back({i, i + side});
  }
  return binaryModel(side * side, scopes);
}

OrderChoices chosen(const Model &model, const PlanOptions &options) {
  Diagnostics diagnostics;
  return chooseOrders(model, initialProgram(model, model.queries[0], diagnostics), options,
                      diagnostics);
}

TEST(OrderSearch, RoundsDecideAloneWhatIsFound) {
  const Model model = gridOf(12);
  PlanOptions options;
  options.search.rounds = 12;
  options.search.threads = 1;
  const OrderChoices one = chosen(model, options);
  EXPECT_EQ(one.effort.rounds, 12u);
  options.search.threads = 3;
  EXPECT_EQ(chosen(model, options).choices[0].order, one.choices[0].order);
  options.seed = 1;
  EXPECT_NE(chosen(model, options).choices[0].order, one.choices[0].order);
}

TEST(OrderSearch, MoreRoundsAreNeverWorse) {
  const Model model = gridOf(12);
  PlanOptions options;
  double before = std::numeric_limits<double>::infinity();
  for (const uint64_t rounds : {0, 1, 4, 16, 40}) {
    options.search.rounds = rounds;
    const double cost = chosen(model, options).effort.cost;
    EXPECT_LE(cost, before) << rounds;
    before = cost;
  }
  options.search.rounds = 0;
  EXPECT_LT(before, chosen(model, options).effort.cost / 2);
}

/// A user is told of a long run while rounds may shorten it.
TEST(OrderSearch, TellsTheRunOfTheBestOrderAfterEachRound) {
  const Model model = gridOf(12);
  Diagnostics diagnostics;
  PlanOptions options;
  std::vector<double> told;
  const SearchListener listener = [&](const SearchEffort &effort) {
    told.push_back(effort.runUs);
    EXPECT_EQ(effort.rounds, told.size());
  };
  const auto runUs = [&](uint64_t rounds) {
    told.clear();
    options.search.rounds = rounds;
    return chooseOrders(model, initialProgram(model, model.queries[0], diagnostics), options,
                        diagnostics, {nullptr, nullptr, nullptr, &listener})
        .effort.runUs;
  };
  const double greedyUs = runUs(0);
  EXPECT_TRUE(told.empty());
  const double lastUs = runUs(40);
  ASSERT_EQ(told.size(), 40u);
  EXPECT_EQ(told.back(), lastUs);
  EXPECT_LT(lastUs, greedyUs);
}

/// Every part takes its variables out of the order that is known.
TEST(OrderSearch, AKnownOrderIsWhereItBegins) {
  std::vector<std::vector<uint32_t>> scopes;
  for (const uint32_t first : {0, 100})
    for (const Factor &factor : gridOf(10).factors) {
      scopes.emplace_back();
      for (const VarId id : factor.scope)
        scopes.back().push_back(first + id.value);
    }
  const Model model = binaryModel(200, scopes);
  PlanOptions options;
  options.search.rounds = 24;
  const OrderChoice known = chosen(model, options).choices[0];
  options.search.rounds = 0;
  ASSERT_LT(known.cost, 0.9 * chosen(model, options).choices[0].cost);
  Diagnostics diagnostics;
  const TableProgram initial = initialProgram(model, model.queries[0], diagnostics);
  const OrderChoices again =
      chooseOrders(model, initial, options, diagnostics, {&known.order, nullptr});
  EXPECT_NEAR(again.choices[0].cost, known.cost, 1e-9 * known.cost);
  EXPECT_EQ(again.choices[0].order.size(), 200u);
}

TEST(OrderSearch, ATimedSearchIsRepeatedByItsRounds) {
  const Model model = gridOf(16);
  PlanOptions options;
  options.search.seconds = 0.05;
  const OrderChoices timed = chosen(model, options);
  options.search.seconds.reset();
  options.search.rounds = timed.effort.rounds;
  EXPECT_EQ(chosen(model, options).choices[0].order, timed.choices[0].order);
}

/// A round counts only if it ran as it does without a clock. Greedy runs on this problem take far
/// longer than the deadline, so the thread is interrupted in its first one.
TEST(OrderThread, AGreedyRunCutOffByTheClockEndsTheRound) {
  std::mt19937_64 random(4);
  const OrderProblem problem = randomProblem(random, 2'000, 4'000);
  const InteractionGraph graph(problem.extents, problem.cliques, FillCount::Edges);
  const InteractionGraph weighted(problem.extents, problem.cliques, FillCount::Weighted);
  const auto strategies = threadStrategies();
  const auto fresh = std::find_if(strategies.begin(), strategies.end(),
                                  [](const ThreadStrategy &strategy) { return strategy.fresh; });
  ASSERT_NE(fresh, strategies.end());
  BestOrders best;
  best.cheapest.cost = 1;
  best.cheapest.sequence.resize(problem.variables.size());
  std::iota(best.cheapest.sequence.begin(), best.cheapest.sequence.end(), 0U);
  OrderThread orderThread(problem, graph, weighted, *fresh, 1);
  SearchLimits limits;
  limits.deadline = deadlineAfter(0.001);
  EXPECT_FALSE(orderThread.advance(1, best, SearchStop(limits)));
}

/// Two variables have one rotation, but a look at their tree takes many times as long.
TEST(OrderThread, LooksTakeNoLongerThanTheWalk) {
  std::mt19937_64 random(4);
  OrderProblem problem = randomProblem(random, 2, 0);
  problem.cliques = {{0, 1}};
  problem.runCosts.levelUs = 1; // a lower bound without levels ends no look
  const InteractionGraph graph(problem.extents, problem.cliques, FillCount::Edges);
  const InteractionGraph weighted(problem.extents, problem.cliques, FillCount::Weighted);
  BestOrders best;
  best.cheapest.cost = best.fastest.cost = std::numeric_limits<double>::infinity();
  best.cheapest.sequence = {0, 1};
  OrderThread orderThread(problem, graph, weighted, threadStrategies()[1], 1);
  constexpr uint64_t kSteps = 1 << 14;
  ASSERT_TRUE(orderThread.advance(kSteps, best, SearchStop({})));
  ASSERT_TRUE(orderThread.cheapest());
  EXPECT_GT(orderThread.looks(), kSteps / 400) << "and at the end of each cycle";
  EXPECT_LT(orderThread.looks(), kSteps / 40);
}

TEST(OrderSearch, RoundsOfSeveralPartsRepeatTheDefaultSearch) {
  std::vector<std::vector<uint32_t>> scopes;
  for (const uint32_t side : {6U, 11U})
    for (uint32_t i = 0; i < side * side; ++i) {
      const uint32_t first = side == 6 ? 0 : 36;
      if (i % side + 1 < side)
        scopes.push_back({first + i, first + i + 1});
      if (i + side < side * side)
        scopes.push_back({first + i, first + i + side});
    }
  const Model model = modelOf(std::vector<uint32_t>(36 + 121, 8), scopes, false);
  PlanOptions options;
  const OrderChoices usual = chosen(model, options);
  EXPECT_GT(usual.effort.rounds, 64u);
  options.search.rounds = usual.effort.rounds;
  const OrderChoices counted = chosen(model, options);
  EXPECT_EQ(counted.effort.steps, usual.effort.steps);
  EXPECT_EQ(counted.choices[0].order, usual.choices[0].order);
}

/// The search lasts as long as it may save time: it is short where a run is short or fast.
TEST(OrderSearch, LastsByWhatItsRunsTake) {
  const Model model = gridOf(14);
  PlanOptions options;
  options.runCosts.expectedRuns = 300;
  const RunCosts usual = options.runCosts;
  const OrderChoices some = chosen(model, options);
  EXPECT_GT(some.effort.rounds, 0u);
  options.runCosts.expectedRuns = 30'000;
  const OrderChoices many = chosen(model, options);
  EXPECT_GT(many.effort.steps, 2 * some.effort.steps);
  EXPECT_LE(many.effort.cost, some.effort.cost);
  options.runCosts = usual;
  for (double *us :
       {&options.runCosts.operationUs, &options.runCosts.entryUs, &options.runCosts.termUs})
    *us /= 10'000; // a fast device
  const OrderChoices fast = chosen(model, options);
  EXPECT_LT(fast.effort.steps, some.effort.steps);
  EXPECT_EQ(fast.effort.end, SearchEnd::Share);
  options.runCosts = usual;
  options.runCosts.stepUs *= 10'000; // a slow planner
  EXPECT_LT(chosen(model, options).effort.steps, some.effort.steps);
}

/// The device that the runs go to decides how long the search lasts. The other device is asked for
/// only if the runs take longer than opening it.
TEST(OrderSearch, LastsByTheDeviceThatRuns) {
  const Model model = gridOf(14);
  PlanOptions options;
  options.runCosts.expectedRuns = 300;
  const OrderChoices here = chosen(model, options);
  RunCosts fast = options.runCosts;
  for (double *us : {&fast.operationUs, &fast.entryUs, &fast.termUs})
    *us /= 100;
  int asked = 0;
  std::optional<RunCosts> answer = fast;
  options.otherDevice = {1e12, [&] { return ++asked, answer; }};
  EXPECT_EQ(chosen(model, options).effort.steps, here.effort.steps) << "opening takes too long";
  EXPECT_EQ(asked, 0);
  options.otherDevice.openUs = 1;
  EXPECT_LT(chosen(model, options).effort.steps, here.effort.steps / 2);
  EXPECT_EQ(asked, 1);
  answer.reset();
  EXPECT_EQ(chosen(model, options).effort.steps, here.effort.steps) << "there is none";
  EXPECT_EQ(asked, 2);
  answer = options.runCosts;
  answer->termUs *= 100;
  EXPECT_EQ(chosen(model, options).effort.steps, here.effort.steps) << "it is slower";
}

/// Opening the other device may take far longer than all runs there. A search may take that time
/// too, but it cannot save it.
TEST(OrderSearch, SavesOnlyWhatRunsTakeOnTheirDevice) {
  const Model model = gridOf(14);
  PlanOptions options;
  options.runCosts.expectedRuns = 300;
  const OrderChoices here = chosen(model, options);
  RunCosts fast = options.runCosts;
  for (double *us : {&fast.operationUs, &fast.entryUs, &fast.termUs})
    *us /= 10'000;
  const double hereUs = options.runCosts.expectedRuns * here.effort.runUs;
  options.otherDevice = {hereUs / 2, [&] { return std::optional(fast); }};
  const OrderChoices there = chosen(model, options);
  EXPECT_LT(there.effort.steps, here.effort.steps * 2 / 5) << "a share of both: half as many";
  options.search.rounds = there.effort.rounds;
  EXPECT_EQ(chosen(model, options).effort.steps, there.effort.steps) << "rounds repeat it";
}

TEST(OrderSearch, SaysWhatEndedIt) {
  const Model model = gridOf(10);
  PlanOptions options;
  options.search.rounds = 2;
  EXPECT_EQ(chosen(model, options).effort.end, SearchEnd::Rounds);
  options.search.rounds.reset();
  options.runCosts.expectedRuns = 1e9;
  options.searchSteps = 3'000'000;
  EXPECT_EQ(chosen(model, options).effort.end, SearchEnd::Steps);
  options.searchSteps = 200'000'000;
  options.runCosts.expectedRuns = 1e-9;
  EXPECT_EQ(chosen(model, options).effort.end, SearchEnd::Share);
  options.search.deadline = deadlineAfter(0);
  EXPECT_EQ(chosen(model, options).effort.end, SearchEnd::Share);
  options.runCosts.expectedRuns = 1e9;
  EXPECT_EQ(chosen(model, options).effort.end, SearchEnd::Stop);
  const Model tree = binaryModel(3, {{0, 1}, {1, 2}});
  options.search.deadline = SearchLimits().deadline;
  EXPECT_EQ(chosen(tree, options).effort.end, SearchEnd::Nothing);
}

TEST(OrderSearch, ACompleteGivenOrderIsNotSearchedFor) {
  Model model = gridOf(8);
  PartialOrder chain;
  for (uint32_t v = 0; v < 64; ++v)
    chain.push_back(VarId{v});
  model.orders = {chain};
  PlanOptions options;
  options.search.rounds = 3;
  EXPECT_EQ(chosen(model, options).effort.rounds, 0u);
  chain.erase(chain.begin() + 20, chain.begin() + 40);
  model.orders = {chain};
  EXPECT_EQ(chosen(model, options).effort.rounds, 3u);
}

TEST(OrderSearch, ADeadlineThatPassedEndsEverySearch) {
  PlanOptions options;
  options.search.rounds = 1'000'000'000;
  options.search.deadline = deadlineAfter(0);
  for (int query = 0; query < 3; ++query) {
    const OrderChoices choices = chosen(gridOf(16), options);
    EXPECT_TRUE(choices.effort.stopped);
    EXPECT_EQ(choices.effort.rounds, 0u);
  }
}

TEST(OrderSearch, TheFlagEndsItWithTheFirstOrder) {
  const Model model = gridOf(16);
  const std::atomic<bool> stop{true};
  PlanOptions options;
  options.search.seconds = 1e6;
  options.search.stop = &stop;
  const OrderChoices choices = chosen(model, options);
  EXPECT_TRUE(choices.effort.stopped);
  EXPECT_EQ(choices.effort.rounds, 0u);
  EXPECT_EQ(choices.choices[0].order.size(), 256u);
}

TEST(OrderSearch, TheMemoryBoundWeighsInTheCost) {
  std::mt19937_64 random(3);
  const OrderProblem free = randomProblem(random, 30, 60);
  OrderProblem bounded = free;
  bounded.maxMessageElems = 16;
  std::vector<Vertex> order(30);
  std::iota(order.begin(), order.end(), 0U);
  const EliminationTree wide(free, order), penalised(bounded, order);
  ASSERT_GT(wide.largestMessageElems(), 16);
  EXPECT_GT(penalised.cost(), wide.cost());
}

TEST(Dissection, OrdersEveryVertexOnceOrNone) {
  std::mt19937_64 random(9);
  const OrderProblem problem = randomProblem(random, 200, 300);
  const InteractionGraph graph(problem.extents, problem.cliques, FillCount::None);
  std::vector<Vertex> sequence = dissectionSequence(graph, 1);
  EXPECT_EQ(sequence, dissectionSequence(graph, 1));
  std::sort(sequence.begin(), sequence.end());
  for (size_t i = 0; i < sequence.size(); ++i)
    ASSERT_EQ(sequence[i], i);
  EXPECT_TRUE(sequence.empty() || sequence.size() == 200);
}

} // namespace
