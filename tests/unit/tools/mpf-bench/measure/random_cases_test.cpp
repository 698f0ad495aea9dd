// Lists of cases that measurements draw. Cases of a network are possible, and states are as
// frequent as it prescribes. The number of threads does not change them.
#include "tools/mpf-bench/measure/random_cases.h"

#include <cmath>
#include <cstring>
#include <gtest/gtest.h>
#include <map>

namespace mpf::bench {
namespace {

Factor factorOf(std::vector<VarId> scope, std::vector<double> values) {
  return {"f", "f", std::move(scope), std::make_shared<const std::vector<double>>(values)};
}

/// Returns a network in which c depends on a and b, which come later; many combinations are
/// impossible.
Model sparseNetwork() {
  Model model;
  model.variables = {{"c", 3, {}}, {"a", 2, {}}, {"b", 2, {}}};
  model.factors.push_back(
      factorOf({VarId{1}, VarId{2}, VarId{0}}, {1, 0, 0, 0, 1, 0, 0, 0.5, 0.5, 0.25, 0, 0.75}));
  model.factors.push_back(factorOf({VarId{1}}, {0.3, 0.7}));
  model.factors.push_back(factorOf({VarId{1}, VarId{2}}, {0.9, 0.1, 0, 1}));
  return model;
}

CaseSchema columnsOf(const Model &model) {
  CaseSchema schema;
  for (size_t v = 0; v < model.variables.size(); ++v)
    schema.observed.push_back({VarId{v}, model.variables[v].extent});
  return schema;
}

CaseBlock drawn(const Model &model, uint32_t rows, double observed, unsigned threads) {
  CaseBlock block(columnsOf(model), rows);
  drawRows(model, observed, threads, block);
  return block;
}

bool haveSameRows(const CaseBlock &a, const CaseBlock &b, uint32_t rows) {
  for (size_t column = 0; column < a.columns(); ++column)
    if (std::memcmp(a.column(column), b.column(column), size_t{rows} * a.codeBytes()) != 0)
      return false;
  return true;
}

TEST(RandomCases, ComeFromTheNetwork) {
  const Model model = sparseNetwork();
  constexpr uint32_t kRows = 200000;
  const CaseBlock block = drawn(model, kRows, 1, 2);
  ASSERT_EQ(block.count, kRows);
  std::map<std::vector<uint32_t>, double> shares;
  for (uint32_t i = 0; i < kRows; ++i)
    shares[{block.code(1, i), block.code(2, i), block.code(0, i)}] += 1.0 / kRows;
  const std::map<std::vector<uint32_t>, double> right = {
      {{0, 0, 0}, 0.27}, {{0, 1, 1}, 0.03}, {{1, 1, 0}, 0.175}, {{1, 1, 2}, 0.525}};
  ASSERT_EQ(shares.size(), right.size()) << "an impossible row";
  for (const auto &[states, share] : right)
    EXPECT_NEAR(shares[states], share, 5 * std::sqrt(share / kRows));
}

TEST(RandomCases, ObserveTheirShareOfTheCells) {
  const Model model = sparseNetwork();
  const CaseBlock block = drawn(model, 100000, 0.2, 2);
  for (size_t column = 0; column < 3; ++column) {
    uint32_t seen = 0;
    for (uint32_t i = 0; i < block.count; ++i)
      seen += block.code(column, i) != model.variables[column].extent ? 1 : 0;
    EXPECT_NEAR(seen, 20000, 700) << column;
  }
}

TEST(RandomCases, DoNotDependOnThreadsNorOnTheNumberOfRows) {
  const Model network = sparseNetwork();
  Model factors = network;
  factors.factors.push_back(factorOf({VarId{0}, VarId{1}}, {1, 2, 3, 4, 5, 6}));
  for (const Model &model : {network, factors}) {
    const CaseBlock one = drawn(model, 100000, 0.5, 1);
    EXPECT_TRUE(haveSameRows(one, drawn(model, 100000, 0.5, 7), 100000));
    EXPECT_TRUE(haveSameRows(one, drawn(model, 12345, 0.5, 3), 12345));
    EXPECT_FALSE(haveSameRows(one, drawn(model, 100000, 0.6, 1), 100000));
  }
}

TEST(RandomCases, AreUniformWhereThereIsNoNetwork) {
  Model model = sparseNetwork();
  CaseBlock block(columnsOf(model), 10);
  EXPECT_EQ(drawRows(model, 1, 1, block), RowSource::Network);
  model.factors[1] = factorOf({VarId{1}}, {0.3, 0.8});
  EXPECT_EQ(drawRows(model, 1, 1, block), RowSource::Uniform) << "no shares";
  model.factors[1] = factorOf({VarId{2}, VarId{1}}, {0.5, 0.5, 0.5, 0.5});
  EXPECT_EQ(drawRows(model, 1, 1, block), RowSource::Uniform) << "a cycle";
  model.factors[1] = factorOf({VarId{2}}, {0.5, 0.5});
  EXPECT_EQ(drawRows(model, 1, 1, block), RowSource::Uniform) << "b twice, a never";
  const CaseBlock many = drawn(model, 60000, 1, 2);
  uint32_t counts[3] = {};
  for (uint32_t i = 0; i < many.count; ++i)
    ++counts[many.code(0, i)];
  for (const uint32_t count : counts)
    EXPECT_NEAR(count, 20000, 700);
}

/// Shares add up to a little more or less than 1, as in files.
TEST(RandomCases, NeverDrawStatesOfShareZero) {
  Model model;
  model.variables = {{"x", 4, {}}};
  model.factors.push_back(factorOf({VarId{0}}, {0, 0.333, 0.666, 0}));
  const CaseBlock block = drawn(model, 100000, 1, 2);
  for (uint32_t i = 0; i < block.count; ++i)
    ASSERT_TRUE(block.code(0, i) == 1 || block.code(0, i) == 2) << i;
}

} // namespace
} // namespace mpf::bench
