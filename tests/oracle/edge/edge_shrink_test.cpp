// Tests the shrinker on planted faults: predicates whose smallest failing case is known.
#include "tests/oracle/edge/edge_models.h"
#include "tests/oracle/edge/edge_run.h"
#include "tests/oracle/edge/edge_shrink.h"

#include "dsl/model/verify_model.h"

#include <algorithm>
#include <cmath>
#include <gtest/gtest.h>

namespace mpf::oracle {
namespace {

bool hasValueBelow(const EdgeCase &edge, double bound) {
  for (size_t run = 0; run < edge.runs(); ++run)
    for (const Factor &factor : edge.modelOf(run).factors)
      for (const double value : *factor.values)
        if (value > 0 && value < bound)
          return true;
  return false;
}

TEST(ShrinkCase, LeavesOneSubnormalEntry) {
  const EdgeFails planted = [](const EdgeCase &edge) { return hasValueBelow(edge, 1e-310); };
  std::mt19937_64 random(3);
  int shrunk = 0;
  for (int i = 0; i < 300; ++i) {
    EdgeCase edge = drawCase(random);
    edge.options = drawOptions(random, edge, false);
    if (!planted(edge))
      continue;
    ++shrunk;
    const EdgeCase smallest = shrinkCase(edge, planted);
    ASSERT_TRUE(planted(smallest));
    ASSERT_EQ(findModelFault(smallest.model), "");
    EXPECT_LE(smallest.runs(), 2u);
    ASSERT_EQ(smallest.model.factors.size(), 1u) << describe(smallest);
    EXPECT_LE(smallest.model.variables.size(), 1u);
    EXPECT_EQ(smallest.model.factors[0].values->size(), 1u) << describe(smallest);
    EXPECT_TRUE(smallest.model.evidence.findings.empty());
    EXPECT_FALSE(smallest.options.finalTables);
    EXPECT_FALSE(smallest.options.forcedLog);
  }
  EXPECT_GT(shrunk, 20);
}

TEST(ShrinkCase, KeepsWhatTheFaultNeeds) {
  // Two factors that share a variable of two states or more, and a pass that must stay on.
  const EdgeFails planted = [](const EdgeCase &edge) {
    const auto &off = edge.options.offPasses;
    if (!edge.options.finalTables || std::find(off.begin(), off.end(), "zeros") != off.end())
      return false;
    std::vector<int> uses(edge.model.variables.size(), 0);
    for (const Factor &factor : edge.model.factors)
      for (const VarId v : factor.scope)
        uses[v.index()] += edge.model.variable(v).extent > 1;
    return std::any_of(uses.begin(), uses.end(), [](int count) { return count > 1; });
  };
  std::mt19937_64 random(4);
  int shrunk = 0;
  for (int i = 0; i < 300; ++i) {
    EdgeCase edge = drawCase(random);
    edge.options = drawOptions(random, edge, false);
    if (!planted(edge))
      continue;
    ++shrunk;
    const EdgeCase smallest = shrinkCase(edge, planted);
    ASSERT_TRUE(planted(smallest));
    EXPECT_EQ(smallest.model.factors.size(), 2u) << describe(smallest);
    EXPECT_EQ(smallest.model.variables.size(), 1u) << describe(smallest);
    EXPECT_EQ(smallest.model.variables[0].extent, 2u);
    for (const Factor &factor : smallest.model.factors)
      for (const double value : *factor.values)
        EXPECT_TRUE(value == 1 || (value == 0 && !std::signbit(value))) << describe(smallest);
  }
  EXPECT_GT(shrunk, 20);
}

TEST(ShrinkCase, StopsWhenItsAttemptsAreSpent) {
  std::mt19937_64 random(5);
  EdgeCase edge = drawCase(random);
  size_t asked = 0;
  shrinkCase(
      edge, [&asked](const EdgeCase &) { return ++asked, true; }, 7);
  EXPECT_LE(asked, 7u);
}

/// Ordinary values must pass the campaign with every option. Minima of products are left out:
/// whether they report zeroProbability depends on the simplifier.
TEST(RunCase, OrdinaryModelsAreRight) {
  std::mt19937_64 random(6);
  for (int i = 0; i < 150; ++i) {
    EdgeCase edge = drawCase(random);
    const auto makeOrdinary = [](Model &model) {
      for (Factor &factor : model.factors) {
        std::vector<double> values = *factor.values;
        for (double &value : values)
          value = value == 0 || value == -kInfinity ? value : value < 0 ? 0.5 : 0.75;
        factor.values = std::make_shared<const std::vector<double>>(std::move(values));
      }
    };
    makeOrdinary(edge.model);
    for (Model &model : edge.later)
      makeOrdinary(model);
    const std::vector<ExactAnswer> wanted = exactAnswers(edge);
    if (wanted.front().semiring == Semiring{Reduce::Min, Combine::Times})
      continue;
    for (int way = 0; way < 4; ++way) {
      edge.options = drawOptions(random, edge, false);
      const EdgeVerdict verdict = runCase(edge, wanted);
      EXPECT_FALSE(verdict.isFailure()) << verdict.text << '\n' << describe(edge);
    }
  }
}

} // namespace
} // namespace mpf::oracle
