// Stationary networks are planned in halves where that makes enough of their operations equal.
#include "codegen/plan/build_program.h"
#include "codegen/plan/initial/initial_program.h"
#include "codegen/plan/order/stationary_order.h"
#include "codegen/plan/program/program_statistics.h"
#include "codegen/plan/program/verify_program.h"
#include "tests/oracle/brute/evaluate_program.h"
#include "tests/unit/codegen/plan/small_models.h"

#include <cmath>
#include <gtest/gtest.h>

using namespace mpf;

namespace {

/// Returns a ring of equal steps; the last one has a different table if `odd`.
Model ring(uint32_t length, uint32_t extent, bool odd = false) {
  std::vector<std::vector<uint32_t>> scopes;
  for (uint32_t i = 0; i < length; ++i)
    scopes.push_back({i, (i + 1) % length});
  Model model = test::modelOf(std::vector<uint32_t>(length, extent), scopes);
  const auto step = [extent](double self) {
    std::vector<double> values(size_t{extent} * extent, 0.5);
    for (uint32_t s = 0; s < extent; ++s)
      values[size_t{s} * extent + s] = self;
    return std::make_shared<const std::vector<double>>(std::move(values));
  };
  for (Factor &factor : model.factors)
    factor.values = step(1);
  if (odd)
    model.factors.back().values = step(2);
  return model;
}

TableProgram plannedStationary(const Model &model, const std::vector<std::string> &off = {}) {
  PlanOptions options;
  options.finalTables = true;
  Diagnostics diagnostics;
  TableProgram program =
      buildProgram(model, shortQuery(model, QueryKind::Evidence), options, diagnostics, {off});
  const auto problem = verifyProgram(program);
  EXPECT_FALSE(problem) << *problem;
  return program;
}

TEST(StationaryOrder, ARingTakesALogarithmOfItsLength) {
  const Model model = ring(128, 24);
  const TableProgram program = plannedStationary(model);
  // 7 halvings, and the last steps around the ring.
  EXPECT_LE(programStatistics(program, ElementType::F64).runOperations, 10u);
  EXPECT_GE(
      programStatistics(plannedStationary(model, {"share-tables"}), ElementType::F64).runOperations,
      126u);
}

TEST(StationaryOrder, TheAnswerOfTheTransferMatrix) {
  // Z is the trace of the 64th power of a matrix with eigenvalues 1 + 23 / 2 and 1/2 (23 times).
  const Model model = ring(64, 24);
  const auto outputs = oracle::evaluateProgram(model, plannedStationary(model)).outputs;
  const long double wanted = std::pow(12.5L, 64) + 23 * std::pow(0.5L, 64);
  EXPECT_NEAR(static_cast<double>(outputs.begin()->second[0] / wanted), 1, 1e-12);
}

TEST(StationaryOrder, SmallOperationsAndDifferentTablesAreNotPlannedTwice) {
  const auto choice = [](const Model &model) {
    const InputContents contents(model, true);
    Diagnostics diagnostics;
    const Query query = shortQuery(model, QueryKind::Evidence);
    return stationaryOrder(model, initialProgram(model, query, diagnostics), contents,
                           plannedStationary(model, {"share-tables"}));
  };
  EXPECT_TRUE(choice(ring(64, 24, true)));
  EXPECT_FALSE(choice(ring(64, 2))) << "starting the operations is all their work";
  Model model = ring(64, 24);
  for (size_t i = 0; i < model.factors.size(); ++i) {
    std::vector<double> values = *model.factors[i].values;
    values[0] = static_cast<double>(i);
    model.factors[i].values = std::make_shared<const std::vector<double>>(std::move(values));
  }
  EXPECT_FALSE(choice(model)) << "all tables differ";
}

TEST(StationaryOrder, ItsMemoryIsWarnedOf) {
  const Model model = ring(128, 24);
  for (const uint64_t limit : {uint64_t{1}, uint64_t{1} << 40}) {
    PlanOptions options;
    options.finalTables = true;
    options.warnMemoryBytes = limit;
    Diagnostics diagnostics;
    buildProgram(model, shortQuery(model, QueryKind::Evidence), options, diagnostics);
    ASSERT_EQ(diagnostics.all().size(), limit == 1 ? 1u : 0u);
    if (limit == 1) {
      EXPECT_NE(diagnostics.all()[0].message.find("of memory"), std::string::npos);
    }
  }
}

} // namespace
