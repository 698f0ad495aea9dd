// Exact enumeration against enumeration in long double on ordinary values, and against numbers
// worked out by hand where long double fails.
#include "tests/oracle/brute/model_brute_force.h"
#include "tests/oracle/edge/exact_brute_force.h"
#include "tests/oracle/models/random_models.h"
#include "tests/support/trials.h"

#include <cmath>
#include <gtest/gtest.h>

namespace mpf::oracle {
namespace {

constexpr QueryKind kKinds[] = {QueryKind::Evidence, QueryKind::Expression, QueryKind::Joint,
                                QueryKind::Marginals, QueryKind::Mpe};

long double numberOf(const ExactEntry &entry, Semiring semiring) {
  if (semiring.combine == Combine::Plus && entry.zero)
    return -std::numeric_limits<long double>::infinity();
  const ExactNumber::Scaled value = entry.value.scaled();
  return std::ldexp(value.mantissa, static_cast<int>(value.exponent)) + entry.logCorrection;
}

void compareWithBruteForce(const Model &model, const Query &query) {
  const BruteAnswer wanted = bruteForce(model, query);
  const ExactAnswer found = exactBruteForce(model, query);
  ASSERT_EQ(found.tables.size(), wanted.tables.size());
  for (const auto &[name, table] : found.tables) {
    const BruteTable &expected = wanted.tables.at(name);
    ASSERT_EQ(table.scope, expected.scope);
    ASSERT_EQ(table.entries.size(), expected.values.size());
    long double sum = 0;
    for (const ExactEntry &entry : table.entries)
      sum += table.normalised ? numberOf(entry, found.semiring) : 0;
    for (size_t i = 0; i < table.entries.size(); ++i) {
      long double number = numberOf(table.entries[i], found.semiring);
      if (table.normalised && sum == 0)
        continue; // 0 / 0 there
      number /= table.normalised ? sum : 1;
      ASSERT_TRUE(number == expected.values[i] ||
                  std::abs(number - expected.values[i]) <= 1e-15L * (1 + std::abs(number)))
          << name << "[" << i << "] = " << number << ", expected " << expected.values[i];
    }
  }
}

TEST(ExactBruteForce, AgreesWithLongDoubleOnOrdinaryModels) {
  std::mt19937_64 random(20);
  RandomModelOptions shape;
  shape.maxVariables = 6;
  for (int i = 0; i < trials(300) && !HasFatalFailure(); ++i) {
    const Model model = randomModel(random, shape);
    for (const QueryKind kind : kKinds) {
      SCOPED_TRACE(i);
      compareWithBruteForce(model, randomQuery(random, model, kind));
    }
  }
}

/// Returns a model of x with two states, and factors of one value per state.
Model twoStates(const std::vector<std::vector<double>> &factors) {
  Model model;
  model.variables.push_back({"x", 2, {}});
  for (const auto &values : factors) {
    Factor factor;
    factor.name = factor.family = "f" + std::to_string(model.factors.size());
    factor.scope = {VarId{0}};
    factor.values = std::make_shared<const std::vector<double>>(values);
    model.factors.push_back(std::move(factor));
  }
  return model;
}

Query reduction(const Model &model, Semiring semiring) {
  Query query = shortQuery(model, QueryKind::Evidence);
  query.name = "q";
  query.kind = QueryKind::Expression;
  query.combine = semiring.combine;
  query.reductions = {{semiring.reduce, {VarId{0}}}};
  return query;
}

ExactEntry only(const Model &model, Semiring semiring) {
  return exactBruteForce(model, reduction(model, semiring)).tables.at("q").entries.at(0);
}

TEST(ExactBruteForce, SumsThatCancelKeepTheirMagnitude) {
  const Model model = twoStates({{1e300, -1e300}, {1, 1}});
  const ExactEntry sum = only(model, {Reduce::Sum, Combine::Times});
  EXPECT_TRUE(sum.value.isZero());
  EXPECT_FALSE(sum.zero);
  EXPECT_EQ(sum.magnitude, ExactNumber::fromDouble(1e300).shifted(1));
}

TEST(ExactBruteForce, CostsThatOverflowInBetween) {
  const Model model = twoStates({{1e308, -1e308}, {1e308, -1e308}, {-1.5e308, 1.5e308}});
  const ExactNumber half = ExactNumber::fromDouble(1e308).shifted(1);
  const ExactNumber last = ExactNumber::fromDouble(1.5e308);
  const ExactEntry most = only(model, {Reduce::Max, Combine::Plus});
  EXPECT_EQ(most.value, half - last);
  EXPECT_EQ(most.magnitude, half + last);
  EXPECT_EQ(only(model, {Reduce::Min, Combine::Plus}).value, last - half);
}

TEST(ExactBruteForce, MinusInfinityIsTheZeroOfLogs) {
  const Model model = twoStates({{-kInfinity, 3}, {2, -kInfinity}});
  EXPECT_TRUE(only(model, {Reduce::LogSum, Combine::Plus}).zero);
  EXPECT_TRUE(only(model, {Reduce::Max, Combine::Plus}).zero);
  const ExactEntry sum = only(twoStates({{5, 5}}), {Reduce::LogSum, Combine::Plus});
  EXPECT_EQ(sum.value, ExactNumber::fromDouble(5));
  EXPECT_DOUBLE_EQ(sum.logCorrection, std::log(2.0));
}

} // namespace
} // namespace mpf::oracle
