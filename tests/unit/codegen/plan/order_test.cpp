// Elimination orders: the incremental graph against recounting, given orders, determinism.
#include "codegen/plan/build_program.h"
#include "codegen/plan/order/interaction_graph.h"
#include "dsl/support/error.h"
#include "tests/oracle/models/random_models.h"
#include "tests/unit/codegen/plan/small_models.h"

#include <gtest/gtest.h>
#include <set>

using namespace mpf;
using namespace mpf::test;

namespace {

/// The interaction graph as plain sets, counted anew every time.
struct PlainGraph {
  std::vector<std::set<Vertex>> adjacent;
  std::vector<uint64_t> units;

  uint64_t fill(Vertex v) const {
    uint64_t missing = 0;
    for (const Vertex a : adjacent[v])
      for (const Vertex b : adjacent[v])
        missing += a < b && !adjacent[a].count(b) ? units[a] * units[b] : 0;
    return missing;
  }
  void eliminate(Vertex v) {
    for (const Vertex a : adjacent[v])
      for (const Vertex b : adjacent[v])
        if (a != b)
          adjacent[a].insert(b);
    for (const Vertex a : adjacent[v])
      adjacent[a].erase(v);
    adjacent[v].clear();
  }
};

TEST(InteractionGraph, CountsLikeRecounting) {
  std::mt19937_64 random(11);
  for (int round = 0; round < 200; ++round) {
    const auto count = static_cast<Vertex>(2 + random() % 14);
    std::vector<uint64_t> extents;
    for (Vertex v = 0; v < count; ++v)
      extents.push_back(2 + random() % 4);
    std::vector<std::vector<Vertex>> cliques;
    for (uint64_t i = random() % 20; i > 0; --i) {
      std::set<Vertex> clique;
      for (uint64_t k = random() % 4; k > 0; --k)
        clique.insert(static_cast<Vertex>(random() % count));
      cliques.emplace_back(clique.begin(), clique.end());
    }
    const bool weighted = round % 2;
    InteractionGraph graph(extents, cliques, weighted ? FillCount::Weighted : FillCount::Edges);
    PlainGraph plain{std::vector<std::set<Vertex>>(count),
                     weighted ? extents : std::vector<uint64_t>(count, 1)};
    for (const auto &clique : cliques)
      for (const Vertex a : clique)
        for (const Vertex b : clique)
          if (a != b)
            plain.adjacent[a].insert(b);
    std::vector<Vertex> left;
    for (Vertex v = 0; v < count; ++v)
      left.push_back(v);
    while (!left.empty()) {
      std::vector<uint64_t> before;
      for (const Vertex v : left) {
        ASSERT_EQ(graph.degree(v), plain.adjacent[v].size());
        ASSERT_EQ(graph.fill(v), plain.fill(v));
        uint64_t weight = graph.ownWeight(v);
        for (const Vertex u : plain.adjacent[v])
          weight += graph.ownWeight(u);
        ASSERT_EQ(graph.weight(v), weight);
        before.push_back(graph.fill(v) * 1000003 + weight);
      }
      const size_t pick = random() % left.size();
      const std::span<const Vertex> touched = graph.eliminate(left[pick]);
      const std::set<Vertex> changed(touched.begin(), touched.end());
      ASSERT_EQ(changed.size(), touched.size());
      plain.eliminate(left[pick]);
      for (size_t i = 0; i < left.size(); ++i)
        if (i != pick && plain.fill(left[i]) * 1000003 + graph.weight(left[i]) != before[i]) {
          ASSERT_TRUE(changed.count(left[i]));
        }
      left.erase(left.begin() + static_cast<std::ptrdiff_t>(pick));
    }
  }
}

std::vector<VarId> orderOf(const Model &model, const PlanOptions &options = {}) {
  Diagnostics diagnostics;
  return buildProgram(model, model.queries[0], options, diagnostics).order;
}

size_t placeOf(const std::vector<VarId> &order, VarId id) {
  return static_cast<size_t>(std::find(order.begin(), order.end(), id) - order.begin());
}

TEST(GivenOrder, IsObeyed) {
  std::mt19937_64 random(2);
  for (int i = 0; i < 200; ++i) {
    std::vector<std::vector<uint32_t>> scopes;
    for (int f = 0; f < 14; ++f)
      scopes.push_back(
          {static_cast<uint32_t>(random() % 6), static_cast<uint32_t>(6 + random() % 6)});
    Model model = binaryModel(12, scopes);
    PartialOrder all;
    for (size_t v = 0; v < 12; ++v)
      all.insert(all.begin() + static_cast<std::ptrdiff_t>(random() % (v + 1)), VarId{v});
    const size_t cut = random() % 12;
    model.orders.push_back({all.begin(), all.begin() + static_cast<std::ptrdiff_t>(cut)});
    model.orders.push_back({all.begin() + static_cast<std::ptrdiff_t>(cut / 2), all.end()});
    PlanOptions options;
    options.order = static_cast<OrderMethod>(random() % 4);
    const std::vector<VarId> order = orderOf(model, options);
    for (const PartialOrder &chain : model.orders) {
      size_t previous = 0;
      for (const VarId id : chain) {
        const size_t place = placeOf(order, id);
        if (place == order.size())
          continue; // in no factor
        ASSERT_GE(place, previous);
        previous = place;
      }
    }
  }
}

TEST(GivenOrder, FullOrderIsTaken) {
  Model model = binaryModel(4, {{0, 1}, {1, 2}, {2, 3}});
  const PartialOrder chain = {VarId{2}, VarId{size_t{0}}, VarId{3}, VarId{1}};
  model.orders.push_back(chain);
  EXPECT_EQ(orderOf(model), chain);
}

TEST(GivenOrder, ContradictionsAreRefused) {
  Model model = binaryModel(3, {{0, 1}, {1, 2}});
  model.orders = {{VarId{size_t{0}}, VarId{1}}, {VarId{1}, VarId{2}}, {VarId{2}, VarId{size_t{0}}}};
  try {
    orderOf(model);
    ADD_FAILURE() << "not refused";
  } catch (const Error &error) {
    EXPECT_EQ(error.kind(), ErrorKind::BadInput);
    EXPECT_STREQ(error.what(), "the given orders contradict each other at variable x0");
  }
}

TEST(GivenOrder, PoorOnesAreWarnedOf) {
  std::vector<std::vector<uint32_t>> scopes;
  PartialOrder chain;
  for (uint32_t i = 1; i <= 16; ++i) {
    scopes.push_back({0, i});
    chain.push_back(VarId{i});
  }
  chain.push_back(VarId{size_t{0}});
  Model model = binaryModel(17, scopes);
  model.orders.push_back(chain);
  Diagnostics diagnostics;
  buildProgram(model, model.queries[0], {}, diagnostics);
  ASSERT_EQ(diagnostics.all().size(), 1u);
  EXPECT_EQ(diagnostics.all()[0].severity, Severity::Performance);
  EXPECT_EQ(diagnostics.all()[0].message,
            "the given order needs 2^19.0 operations, the automatic one 2^7.6");
}

TEST(Order, SameSeedSamePlan) {
  std::mt19937_64 random(8);
  oracle::RandomModelOptions options;
  options.maxVariables = 30;
  options.maxExtent = 2;
  options.maxFactors = 60;
  options.maxArity = 3;
  for (int i = 0; i < 20; ++i) {
    Model model = oracle::randomModel(random, options);
    model.queries.push_back(oracle::randomQuery(random, model, QueryKind::Evidence));
    for (uint64_t seed = 0; seed < 3; ++seed) {
      PlanOptions plan;
      plan.seed = seed;
      EXPECT_EQ(orderOf(model, plan), orderOf(model, plan));
    }
  }
}

TEST(Order, OutputVariablesComeFirst) {
  Model model = binaryModel(4, {{0, 1}, {1, 2}, {2, 3}});
  model.queries[0].kind = QueryKind::Joint;
  model.queries[0].output = {VarId{3}, VarId{1}};
  const std::vector<VarId> order = orderOf(model);
  EXPECT_EQ(order[0], VarId{3});
  EXPECT_EQ(order[1], VarId{1});
  model.orders.push_back({VarId{1}, VarId{2}, VarId{3}});
  EXPECT_EQ(orderOf(model)[0], VarId{1});
}

} // namespace
