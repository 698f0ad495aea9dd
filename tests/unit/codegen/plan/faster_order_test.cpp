// Tests the choice between two orders: the one whose program is predicted to run faster is planned,
// if finding out pays and memory allows it.
#include "codegen/plan/faster_order.h"

#include "codegen/plan/build_program.h"
#include "codegen/plan/initial/initial_program.h"
#include "codegen/plan/plan_within_bound.h"
#include "codegen/plan/program/print_program.h"
#include "codegen/plan/program/program_memory.h"
#include "tests/unit/codegen/plan/small_models.h"

#include <algorithm>
#include <gtest/gtest.h>

namespace mpf {
namespace {

/// A grid on a device whose runs are long, so that trials pay.
class FasterOrder : public testing::Test {
protected:
  FasterOrder() {
    options_.search.rounds = 8;
    options_.runCosts.expectedRuns = 1e6;
  }

  TableProgram planned() {
    Diagnostics diagnostics;
    return buildProgram(model_, model_.queries.front(), options_, diagnostics);
  }
  OrderChoices orders() {
    Diagnostics diagnostics;
    return chooseOrders(model_, initialProgram(model_, model_.queries.front(), diagnostics),
                        options_, diagnostics);
  }
  /// Predicts `known` for the first program that is asked about, `found` for others; with compiled
  /// kernels, `compiled` for the first.
  void predict(double known, double found, double compiled = 1e9) {
    options_.programUs = [=, this, first = std::string()](const Model &,
                                                          const TableProgram &program,
                                                          PredictedKernels kernels) mutable {
      const std::string text = printProgram(program);
      if (asked_++ == 0)
        first = text;
      if (text != first)
        return found;
      return kernels == PredictedKernels::All ? std::min(known, compiled) : known;
    };
  }

  const Model model_ = test::grid(12, 12);
  PlanOptions options_;
  size_t asked_ = 0;
};

TEST_F(FasterOrder, IsTakenWhereItsProgramIsPredictedToBeFaster) {
  const TableProgram usual = planned();
  const OrderChoices found = orders();
  ASSERT_TRUE(found.fastest);
  EXPECT_EQ(usual.order, found.choices.front().order) << "nothing predicts programs";
  predict(1000, 900);
  EXPECT_EQ(planned().order, found.fastest->order);
  EXPECT_EQ(asked_, 4u);
}

TEST_F(FasterOrder, IsNotTakenWhereCompiledKernelsMakeUpForIt) {
  const std::string usual = printProgram(planned());
  predict(1000, 900, 800);
  EXPECT_EQ(printProgram(planned()), usual);
  EXPECT_EQ(asked_, 4u);
  asked_ = 0;
  options_.runCosts.expectedRuns = 400; // too few to find them for a tenth of a millisecond each
  predict(1000, 975, 800);
  EXPECT_NE(printProgram(planned()), usual);
  EXPECT_EQ(asked_, 2u);
}

TEST_F(FasterOrder, IsNotTakenOtherwise) {
  const std::string usual = printProgram(planned());
  for (const double others : {1100.0, 1000.0, 990.0}) {
    asked_ = 0;
    predict(1000, others);
    EXPECT_EQ(printProgram(planned()), usual) << others;
    EXPECT_EQ(asked_, 2u);
  }
}

TEST_F(FasterOrder, IsNotTriedWhereItCannotPay) {
  const std::string usual = printProgram(planned());
  predict(1000, 1);
  options_.runCosts.expectedRuns = 1e-3;
  EXPECT_EQ(printProgram(planned()), usual);
  EXPECT_EQ(asked_, 0u) << "by the sums alone";
  options_.runCosts.expectedRuns = 1e6;
  predict(1e-6, 1e-9);
  EXPECT_EQ(printProgram(planned()), usual);
  EXPECT_EQ(asked_, 1u) << "by the program that is known";
}

TEST_F(FasterOrder, TakesNotManyTimesTheMemory) {
  Diagnostics diagnostics;
  const TableProgram initial = initialProgram(model_, model_.queries.front(), diagnostics);
  const InputContents contents(model_, false);
  const PlanHooks hooks;
  const OrderChoices found = orders();
  ASSERT_TRUE(found.fastest);
  predict(1000, 1);
  const PlanTrials::Subject subject{model_, initial, contents, options_, hooks, false, 0};
  PlanTrials known(subject, false);
  known.run(found.choices.front());
  PlanTrials::Accepted accepted = *known.accepted();
  const auto isTaken = [&] {
    asked_ = 0;
    PlanTrials trials(subject, false);
    return isFasterOrder(model_, options_, accepted, *found.fastest, trials);
  };
  EXPECT_TRUE(isTaken());
  PlanTrials trials(subject, false);
  const auto bytes = static_cast<double>(trials.run(*found.fastest).peakBytes);
  accepted.cost.peakBytes = static_cast<uint64_t>(bytes / kMostMemory) + 1;
  EXPECT_TRUE(isTaken());
  accepted.cost.peakBytes = static_cast<uint64_t>(bytes / kMostMemory) - 1;
  EXPECT_FALSE(isTaken());
  accepted.cost.peakBytes = known.accepted()->cost.peakBytes;
  accepted.way.recompute.emplace();
  EXPECT_FALSE(isTaken()) << "memory is short";
}

/// Where no order fits whole, the plan in slices is equal to that of a planner that predicts no
/// programs.
TEST_F(FasterOrder, LosesNoSlices) {
  const uint64_t bytes = planMemory(planned(), ElementType::F64).peakBytes;
  size_t sliced = 0;
  for (const uint64_t share : {3, 4, 8}) {
    options_.maxMemoryBytes = bytes / share;
    options_.programUs = {};
    const TableProgram without = planned();
    if (std::none_of(without.variables.begin(), without.variables.end(),
                     [](const ProgramVariable &variable) { return variable.sliced; }))
      continue;
    ++sliced;
    predict(1000, 1);
    EXPECT_EQ(printProgram(planned()), printProgram(without)) << share;
  }
  EXPECT_GT(sliced, 0u);
}

} // namespace
} // namespace mpf
