// Tests the estimates of the search for slices against programs, and its orders of the rest.
#include "codegen/plan/initial/initial_program.h"
#include "codegen/plan/order/choose_order.h"
#include "codegen/plan/passes/plan_pipeline.h"
#include "codegen/plan/program/print_program.h"
#include "codegen/plan/program/slice_levels.h"
#include "codegen/plan/slicing/slice_estimate.h"
#include "codegen/plan/slicing/slice_estimator.h"
#include "codegen/plan/slicing/slice_rest.h"
#include "tests/oracle/models/random_models.h"
#include "tests/unit/codegen/plan/small_models.h"

#include <array>
#include <cmath>
#include <gtest/gtest.h>

using namespace mpf;
using namespace mpf::test;

namespace {

/// Returns bucket addresses times runs, without the sums over loops: the work that an estimate
/// counts.
double bucketAddresses(const TableProgram &program) {
  const SliceLevels levels(program);
  double sum = 0;
  for (const Operation &operation : program.operations)
    if (!operation.reduced.empty() && !levels.accumulates(operation))
      sum += static_cast<double>(operation.cost.addressCount) *
             levels.runs(levels.ofOperation(operation));
  return sum;
}

TEST(SliceEstimate, IsTheWorkOfTheBuckets) {
  std::mt19937_64 random(23);
  PlanHooks hooks;
  hooks.offPasses = {"join-buckets", "merge-operands", "contract-operands", "split-reductions",
                     "share-tables"};
  for (int i = 0; i < 300 && !HasFailure(); ++i) {
    oracle::RandomModelOptions shape;
    shape.maxVariables = 12;
    const Model model = oracle::randomModel(random, shape);
    const Query query = oracle::randomQuery(random, model, QueryKind::Evidence);
    Diagnostics diagnostics;
    const TableProgram initial = initialProgram(model, query, diagnostics);
    std::vector<VarId> order = chooseOrders(model, initial, {}, diagnostics).choices[0].order;
    SliceEstimator estimator(initial);
    for (size_t count = 0; count < std::min<size_t>(4, order.size()); ++count) {
      std::vector<VarId> rest = order, sliced;
      while (sliced.size() < count) {
        const auto at = rest.begin() + static_cast<ptrdiff_t>(random() % rest.size());
        sliced.push_back(*at);
        rest.erase(at);
      }
      OrderChoice choice;
      choice.ends = std::array{LoopEnds::Last, LoopEnds::WhenSmall, LoopEnds::AtOnce}[i % 3];
      const SliceEstimate estimate = estimator.estimate(rest, sliced, choice.ends);
      choice.order = estimate.sliced;
      choice.order.insert(choice.order.end(), rest.begin(), rest.end());
      choice.slicedCount = count;
      const TableProgram program =
          runPlanPasses(initial, {choice, InputContents(model, false)}, hooks);
      const double addresses = bucketAddresses(program);
      EXPECT_NEAR(std::exp2(estimate.log2Work), addresses, 1e-9 * addresses)
          << i << "\n"
          << printProgram(program);
    }
  }
}

/// Compares orders of the rest that count how often a bucket runs with orders that do not.
TEST(SliceRest, OrdersMoveWorkOutOfLoops) {
  double gained = 0;
  for (const uint32_t side : {10, 12, 14}) {
    const Model model = grid(side, side);
    Diagnostics diagnostics;
    const TableProgram initial = initialProgram(model, model.queries[0], diagnostics);
    const std::vector<VarId> order = chooseOrders(model, initial, {}, diagnostics).choices[0].order;
    DraftSlicer slicer(initial, {});
    SliceDraft draft{order, slicer.estimate(order, {}, LoopEnds::Last), side / 2.0};
    while (draft.estimate.sliced.size() < 4 && slicer.addVariable(draft, 0))
      ;
    ASSERT_GE(draft.estimate.sliced.size(), 2u);
    PlanOptions options;
    options.searchSteps = 2'000'000;
    options.runCosts.expectedRuns = 10; // as long as the steps last
    RestOrders aware(model, initial, options, slicer);
    const std::vector<SliceDraft> found = aware.find(draft, Reordering::Fresh, 1, 0);
    EXPECT_LE(aware.steps(), 2 * options.searchSteps);
    TableProgram rest = initial; // without the sliced variables, and without loops
    for (const VarId id : draft.estimate.sliced) {
      std::erase(rest.order, id);
      std::erase(rest.operations.front().reduced, id);
      for (ProgramTable &table : rest.tables)
        std::erase(table.scope, id);
    }
    options.maxMemoryBytes = uint64_t{8} << (side / 2 - 1);
    const OrderChoices unaware = chooseOrders(model, rest, options, diagnostics);
    ASSERT_FALSE(found.empty());
    gained +=
        slicer.estimate(unaware.choices[0].order, draft.estimate.sliced, draft.ends).log2Work -
        found[0].estimate.log2Work;
  }
  EXPECT_GT(gained, 3 * 0.1); // binary orders
}

} // namespace
