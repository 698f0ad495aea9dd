// Drawn networks: as many buckets as tasks, sizes within bounds, tables that are what they claim.
#include "tools/mpf-bench/networks/draw_networks.h"

#include "dsl/formats/uai/uai_writer.h"

#include <algorithm>
#include <gtest/gtest.h>
#include <set>

namespace mpf::bench {
namespace {

using Scope = std::set<uint32_t>;

/// Returns the scopes of buckets if variables are eliminated in the order of their numbers.
std::vector<Scope> bucketsByNumber(const Model &model) {
  std::vector<Scope> pending, buckets;
  for (const Factor &factor : model.factors) {
    Scope scope;
    for (const VarId id : factor.scope)
      scope.insert(static_cast<uint32_t>(id.index()));
    pending.push_back(scope);
  }
  for (uint32_t v = 0; v < model.variables.size(); ++v) {
    Scope bucket;
    std::erase_if(pending, [&](const Scope &scope) {
      if (!scope.contains(v))
        return false;
      bucket.insert(scope.begin(), scope.end());
      return true;
    });
    buckets.push_back(bucket);
    bucket.erase(v);
    if (!bucket.empty())
      pending.push_back(bucket);
  }
  return buckets;
}

double entriesOfScope(const Model &model, const Scope &scope) {
  double entries = 1;
  for (const uint32_t v : scope)
    entries *= model.variables[v].extent;
  return entries;
}

TEST(DrawTaskTree, HasABucketForEachTaskWithinTheBound) {
  for (const uint64_t seed : {1, 2, 3}) {
    const Model model = drawTaskTree({268, 1 << 16, seed});
    ASSERT_EQ(model.variables.size(), 268u);
    double largest = 0, small = 0;
    for (const Scope &bucket : bucketsByNumber(model)) {
      EXPECT_FALSE(bucket.empty());
      const double entries = entriesOfScope(model, bucket);
      EXPECT_LE(entries, 1 << 16);
      largest = std::max(largest, entries);
      small += entries <= 1 << 10 ? 1 : 0;
    }
    EXPECT_GE(largest, 1 << 14) << "few large tasks dominate";
    EXPECT_GE(small, 268 / 2) << "most are small";
  }
}

TEST(DrawTaskTree, TheSameSeedGivesTheSameNetwork) {
  EXPECT_EQ(writeUai(drawTaskTree({60, 4096, 7})), writeUai(drawTaskTree({60, 4096, 7})));
  EXPECT_NE(writeUai(drawTaskTree({60, 4096, 7})), writeUai(drawTaskTree({60, 4096, 8})));
}

TEST(DrawDiseaseNetwork, HasTwoLayersOfBinaryNodes) {
  DiseaseNetworkOptions options;
  options.seed = 5;
  const Model model = drawDiseaseNetwork(options);
  ASSERT_EQ(model.variables.size(), 1000u);
  ASSERT_EQ(model.factors.size(), 1000u);
  size_t findings = 0;
  for (const Factor &factor : model.factors) {
    ASSERT_TRUE(factor.conditional);
    ASSERT_EQ(factor.values->size(), size_t{1} << factor.scope.size());
    for (size_t row = 0; row < factor.values->size(); row += 2)
      EXPECT_NEAR((*factor.values)[row] + (*factor.values)[row + 1], 1, 1e-12);
    findings += factor.scope.size() > 1 ? 1 : 0;
    for (size_t i = 0; i + 1 < factor.scope.size(); ++i)
      EXPECT_LT(factor.scope[i].index(), 200u) << "causes are diseases";
    EXPECT_LE(factor.scope.size(), options.mostCauses + 1u);
  }
  EXPECT_EQ(findings, 800u);
  EXPECT_GT(model.evidence.findings.size(), 300u);
  EXPECT_LT(model.evidence.findings.size(), 500u);
  for (const Finding &finding : model.evidence.findings)
    EXPECT_GE(finding.variable.index(), 200u) << "only findings are observed";
}

TEST(DrawDiseaseNetwork, TheLeakIsTheFirstRowAndCausesRaiseTheChance) {
  DiseaseNetworkOptions options;
  options.nodes = 50;
  for (const Factor &factor : drawDiseaseNetwork(options).factors) {
    if (factor.scope.size() < 2)
      continue;
    const std::vector<double> &values = *factor.values;
    EXPECT_LE(values[1], 0.05);
    for (size_t row = 1; row < values.size() / 2; ++row)
      EXPECT_GT(values[2 * row + 1], values[1]);
  }
}

} // namespace
} // namespace mpf::bench
