// Wide downward operations become contraction trees: less work, the same marginals.
#include "codegen/plan/build_program.h"
#include "codegen/plan/passes/pass_contract_operands.h"
#include "codegen/plan/program/program_statistics.h"
#include "codegen/plan/program/slice_levels.h"
#include "codegen/plan/program/verify_program.h"
#include "tests/oracle/brute/evaluate_program.h"
#include "tests/unit/codegen/plan/small_models.h"

#include <cmath>
#include <gtest/gtest.h>
#include <random>

using namespace mpf;

namespace {

/// D(a_1 .. a_n), and x that is eliminated with a message of each arm (x, a_i): downwards each arm
/// gets the product of D and all other arms, reduced over the others' a_i.
Model wide(uint32_t arms, uint32_t extent) {
  std::vector<std::vector<uint32_t>> scopes{{}};
  for (uint32_t arm = 0; arm < arms; ++arm) {
    scopes[0].push_back(arm);
    scopes.push_back({arm, arms, arms + 1 + arm});
  }
  std::vector<uint32_t> extents(arms, extent);
  extents.insert(extents.end(), arms + 1, 3);
  Model model = test::modelOf(extents, scopes);
  PartialOrder order;
  for (uint32_t v = 0; v < extents.size(); ++v)
    order.emplace_back(v);
  model.orders.push_back(order);
  std::mt19937_64 random(11);
  for (Factor &factor : model.factors) {
    std::vector<double> values = *factor.values;
    for (double &value : values)
      value = static_cast<double>(1 + random() % 97) / 97;
    factor.values = std::make_shared<const std::vector<double>>(std::move(values));
  }
  return model;
}

TableProgram plannedContracting(const Model &model, bool contract) {
  PlanHooks hooks;
  hooks.offPasses = {"merge-operands"};
  if (!contract)
    hooks.offPasses.emplace_back("contract-operands");
  Diagnostics diagnostics;
  TableProgram program =
      buildProgram(model, shortQuery(model, QueryKind::Marginals), {}, diagnostics, hooks);
  const auto problem = verifyProgram(program);
  EXPECT_FALSE(problem) << *problem;
  return program;
}

double loads(const TableProgram &program) {
  double sum = 0;
  for (const Operation &operation : program.operations)
    sum += static_cast<double>(operation.cost.addressCount) *
           static_cast<double>(operation.operands.size());
  return sum;
}

TEST(ContractOperands, MessagesToTheArmsOfAWideTable) {
  const Model model = wide(4, 8);
  const TableProgram before = plannedContracting(model, false),
                     after = plannedContracting(model, true);
  EXPECT_GT(after.operations.size(), before.operations.size());
  EXPECT_LT(loads(after), 0.85 * loads(before));
  const auto wanted = oracle::evaluateProgram(model, before).outputs;
  const auto found = oracle::evaluateProgram(model, after).outputs;
  ASSERT_EQ(found.size(), wanted.size());
  for (const auto &[name, values] : wanted)
    for (size_t i = 0; i < values.size(); ++i)
      EXPECT_NEAR(static_cast<double>(found.at(name)[i] / values[i]), 1, 1e-12) << name;
}

TEST(ContractOperands, SmallAndUpwardProgramsStay) {
  const Model small = wide(3, 2);
  TableProgram program = plannedContracting(small, false);
  const size_t count = program.operations.size();
  passContractOperands(program);
  EXPECT_EQ(program.operations.size(), count);
  const Model model = wide(4, 8);
  Diagnostics diagnostics;
  TableProgram upward =
      buildProgram(model, shortQuery(model, QueryKind::Evidence), {}, diagnostics);
  const size_t upwardCount = upward.operations.size();
  passContractOperands(upward);
  EXPECT_EQ(upward.operations.size(), upwardCount);
}

} // namespace
