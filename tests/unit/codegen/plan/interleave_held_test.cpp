// Held variables become the fastest ones of every table that has them, where that is predicted to
// be faster.
#include "codegen/plan/interleave_held.h"

#include "codegen/plan/build_program.h"
#include "codegen/plan/program/storage_order.h"
#include "codegen/plan/program/verify_program.h"
#include "tests/unit/codegen/plan/small_models.h"

#include <algorithm>
#include <gtest/gtest.h>

using namespace mpf;
using namespace mpf::test;

namespace {

bool isLaidOut(const TableProgram &program) {
  return std::ranges::any_of(program.tables,
                             [](const ProgramTable &table) { return !table.layout.empty(); });
}

/// Returns the plan for marginals of x1, x2 for each of the `states` of x0. Runs are predicted by
/// whether tables are stored in the order of their scopes.
TableProgram planned(uint32_t states, double asScopesUs, double otherwiseUs,
                     double expectedRuns = 1e6) {
  Model model = modelOf({states, 2, 3}, {{0, 1}, {1, 2}, {0, 2}});
  model.queries.front().kind = QueryKind::Marginals;
  model.queries.front().output = {VarId{size_t{0}}};
  PlanOptions options;
  options.programUs = [=](const Model &, const TableProgram &program, PredictedKernels) {
    return isLaidOut(program) ? otherwiseUs : asScopesUs;
  };
  options.runCosts.expectedRuns = expectedRuns;
  Diagnostics warnings;
  return buildProgram(model, model.queries.front(), options, warnings);
}

TEST(InterleaveHeld, TheFasterOrderIsTaken) {
  const TableProgram program = planned(16, 2, 1);
  EXPECT_EQ(verifyProgram(program), std::nullopt);
  EXPECT_EQ(findStorageFault(program), "");
  const VarId held{size_t{0}};
  size_t interleaved = 0;
  for (size_t i = 0; i < program.tables.size(); ++i) {
    const std::vector<VarId> order = storageOrder(program, TableId{i});
    if (std::ranges::find(order, held) == order.end())
      continue;
    EXPECT_EQ(order.back(), held) << program.tables[i].name;
    ++interleaved;
  }
  EXPECT_GT(interleaved, 3u);
}

TEST(InterleaveHeld, OtherwiseTablesStayAsTheirScopes) {
  EXPECT_FALSE(isLaidOut(planned(16, 1, 1)));
  EXPECT_FALSE(isLaidOut(planned(16, 1, 0.99))) << "predictions do not tell them apart";
  EXPECT_FALSE(isLaidOut(planned(4, 2, 1))) << "too few states for a vector";
  EXPECT_FALSE(isLaidOut(planned(16, 2, 1, 1))) << "one run does not pay for asking";
}

} // namespace
