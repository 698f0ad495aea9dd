// Every kind of query of random small models, planned in every way, against exhaustive enumeration.
#include "codegen/plan/build_program.h"
#include "codegen/plan/program/verify_program.h"
#include "tests/oracle/brute/evaluate_program.h"
#include "tests/oracle/brute/model_brute_force.h"
#include "tests/oracle/models/random_models.h"
#include "tests/support/trials.h"

#include <cmath>
#include <gtest/gtest.h>

using namespace mpf;

namespace {

bool same(long double a, long double b) {
  if (std::isnan(a) || std::isnan(b))
    return std::isnan(a) && std::isnan(b);
  if (std::isinf(a) || std::isinf(b))
    return a == b;
  return std::abs(a - b) <= 1e-12L * std::max({std::abs(a), std::abs(b), 1e-300L}) ||
         std::abs(a - b) < 1e-15L;
}

void compare(const Model &model, const Query &query, const TableProgram &program) {
  const auto problem = verifyProgram(program);
  ASSERT_FALSE(problem) << *problem;
  const oracle::BruteAnswer expected = oracle::bruteForce(model, query);
  const oracle::EvaluatedProgram actual = oracle::evaluateProgram(model, program);
  // No posterior exists with impossible evidence; "evidence" is 0.
  const auto evidence = expected.tables.find("evidence");
  const bool impossible = query.kind == QueryKind::Marginals && evidence->second.values[0] == 0;
  ASSERT_EQ(actual.outputs.size(), expected.tables.size());
  for (const auto &[name, table] : expected.tables) {
    ASSERT_TRUE(actual.outputs.count(name)) << name;
    const auto &values = actual.outputs.at(name);
    ASSERT_EQ(values.size(), table.values.size()) << name;
    for (size_t i = 0; i < values.size() && !(impossible && name != "evidence"); ++i)
      ASSERT_TRUE(same(values[i], table.values[i]))
          << name << "[" << i << "] = " << values[i] << ", expected " << table.values[i];
  }
  if (query.kind == QueryKind::Mpe) {
    ASSERT_TRUE(same(oracle::productAt(model, query, actual.assignment), expected.best));
  }
}

constexpr QueryKind kKinds[] = {QueryKind::Evidence, QueryKind::Expression, QueryKind::Joint,
                                QueryKind::Marginals, QueryKind::Mpe};

void compareAllKinds(std::mt19937_64 &random, Model model) {
  constexpr OrderMethod kMethods[] = {OrderMethod::Auto, OrderMethod::MinFill,
                                      OrderMethod::MinWeight, OrderMethod::Sweep};
  for (const QueryKind kind : kKinds) {
    Query query = oracle::randomQuery(random, model, kind);
    oracle::askSome(random, model, query);
    PlanOptions options;
    options.order = kMethods[random() % 4];
    options.seed = random() % 3;
    PlanHooks hooks;
    if (random() % 3 == 0)
      hooks.offPasses = {"join-buckets", "order-operations"};
    Diagnostics diagnostics;
    SCOPED_TRACE(fmt::format("query kind {} method {}", static_cast<int>(kind),
                             static_cast<int>(options.order)));
    compare(model, query, buildProgram(model, query, options, diagnostics, hooks));
  }
}

TEST(PlanBrute, RandomModels) {
  std::mt19937_64 random(20080607);
  for (int i = 0; i < trials(1500) && !HasFatalFailure(); ++i) {
    SCOPED_TRACE(fmt::format("model {}", i));
    compareAllKinds(random, oracle::randomModel(random, {}));
  }
}

TEST(PlanBrute, ManyFactorsPerBucket) {
  std::mt19937_64 random(42);
  oracle::RandomModelOptions options;
  options.maxVariables = 5;
  options.maxFactors = 80;
  options.maxArity = 3;
  options.zeroShare = 0.002;
  for (int i = 0; i < trials(300) && !HasFatalFailure(); ++i) {
    SCOPED_TRACE(fmt::format("model {}", i));
    compareAllKinds(random, oracle::randomModel(random, options));
  }
}

TEST(PlanBrute, GivenOrders) {
  std::mt19937_64 random(7);
  for (int i = 0; i < trials(300) && !HasFatalFailure(); ++i) {
    SCOPED_TRACE(fmt::format("model {}", i));
    Model model = oracle::randomModel(random, {});
    PartialOrder chain;
    for (size_t v = 0; v < model.variables.size(); ++v)
      if (random() % 3 != 0)
        chain.insert(chain.begin() + static_cast<std::ptrdiff_t>(random() % (chain.size() + 1)),
                     VarId{v});
    model.orders.push_back(chain);
    compareAllKinds(random, model);
  }
}

} // namespace
