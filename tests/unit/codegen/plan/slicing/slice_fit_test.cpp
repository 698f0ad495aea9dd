// Tests the way from drafts to plans within a bound, with trials whose results the test sets: when
// variables are added, which drafts are tried, which draft is kept.
#include "codegen/plan/slicing/slice_fit.h"

#include "codegen/plan/initial/initial_program.h"
#include "tests/unit/codegen/plan/small_models.h"

#include <cmath>
#include <gtest/gtest.h>
#include <limits>

using namespace mpf;
using namespace mpf::test;

namespace {

TEST(SliceTarget, IsWhatTheInputsLeaveOfTheBound) {
  SliceTask task;
  task.inputBytes = 40'000;
  PlanOptions options;
  options.maxMemoryBytes = 100'000;
  EXPECT_EQ(sliceTargetBytes(task, options), 60'000);
  options.maxMemoryBytes = 40'001;
  EXPECT_EQ(sliceTargetBytes(task, options), 1);
}

TEST(SliceTarget, BelowTheInputsIsASmallShareOfThem) {
  SliceTask task;
  PlanOptions options;
  options.maxMemoryBytes = 1;
  task.inputBytes = 1 << 20;
  EXPECT_EQ(sliceTargetBytes(task, options), 65'536);
  task.inputBytes = 1'000;
  EXPECT_EQ(sliceTargetBytes(task, options), 4'096);
}

/// Six variables of 16 states, in the order x0 .. x5, x5 eliminated first.
class Fits : public ::testing::Test {
protected:
  static constexpr uint32_t kLength = 6;

  explicit Fits(const std::vector<std::vector<uint32_t>> &scopes)
      : model_(modelOf(std::vector<uint32_t>(kLength, 16), scopes, false)) {
    Diagnostics diagnostics;
    initial_ = initialProgram(model_, model_.queries.front(), diagnostics);
    for (uint32_t i = 0; i < kLength; ++i)
      order_.emplace_back(i);
    task_.orders.emplace_back().order = order_;
    options_.maxMemoryBytes = 4096;
  }

  struct Parts {
    explicit Parts(Fits &test)
        : slicer(test.initial_, {}), orders(test.model_, test.initial_, test.options_, slicer),
          fit({test.model_, test.initial_, test.task_, test.options_, test.trial_}, 0, slicer,
              orders) {}
    DraftSlicer slicer;
    RestOrders orders;
    SliceFit fit;
  };

  SliceDraft draftOf(Parts &parts, double log2BoundElems) const {
    return {order_, parts.slicer.estimate(order_, {}, LoopEnds::Last), log2BoundElems};
  }

  const Model model_;
  TableProgram initial_;
  std::vector<VarId> order_;
  SliceTask task_;
  PlanOptions options_;
  std::vector<OrderChoice> tried_;
  std::function<TrialResult(size_t sliced)> answer_;
  const SliceTrial trial_ = [this](const OrderChoice &order) {
    tried_.push_back(order);
    return answer_(order.slicedCount);
  };
  Reorderings none_;
};

/// A ring: messages have two variables, 2^8 entries, until one is sliced.
class Ring : public Fits {
protected:
  Ring() : Fits({{0, 1}, {1, 2}, {2, 3}, {3, 4}, {4, 5}, {0, 5}}) {}
};

/// x0 - x1 - x2 and x3 - x4 - x5.
class TwoChains : public Fits {
protected:
  TwoChains() : Fits({{0, 1}, {1, 2}, {3, 4}, {4, 5}}) {}
};

TrialResult fits(double addresses) {
  TrialResult result;
  result.fits = true;
  result.peakBytes = 1;
  result.addresses = addresses;
  return result;
}

TrialResult tooLarge(uint64_t bytes) {
  TrialResult result;
  result.peakBytes = bytes;
  result.addresses = 1;
  return result;
}

TEST_F(Ring, NothingIsSlicedWithinTheBound) {
  answer_ = [](size_t) { return fits(1024); };
  Parts parts(*this);
  const double score = parts.fit.fit(draftOf(parts, 20), none_);
  ASSERT_EQ(tried_.size(), 1u);
  EXPECT_EQ(tried_[0].slicedCount, 0u);
  EXPECT_EQ(tried_[0].order, order_);
  EXPECT_DOUBLE_EQ(score, 10); // log2 of the addresses, no memory missing
  EXPECT_EQ(parts.fit.bestAddresses(), 1024);
}

TEST_F(Ring, VariablesAreAddedUntilTheEstimateIsWithinTheBound) {
  answer_ = [](size_t) { return fits(1); };
  Parts parts(*this);
  parts.fit.fit(draftOf(parts, 7), none_); // two messages of 2^4 entries, not one of 2^8
  ASSERT_EQ(tried_.size(), 1u);
  EXPECT_EQ(tried_[0].slicedCount, 1u);
  EXPECT_EQ(tried_[0].order.size(), size_t{kLength});
  ASSERT_TRUE(parts.fit.best());
  EXPECT_EQ(parts.fit.best()->estimate.sliced.size(), 1u);
  EXPECT_EQ(parts.fit.best()->excessAlive(), 0);
}

/// The estimate is within the bound of 2^7 entries. A program that takes 64 times that memory
/// lowers the bound by two binary orders at a time.
TEST_F(Ring, AProgramThatTakesMoreLowersTheBound) {
  answer_ = [](size_t sliced) { return sliced < 3 ? tooLarge(64 * 4096) : fits(1); };
  Parts parts(*this);
  parts.fit.fit(draftOf(parts, 7), none_);
  ASSERT_GE(tried_.size(), 2u);
  for (size_t i = 1; i < tried_.size(); ++i)
    EXPECT_GT(tried_[i].slicedCount, tried_[i - 1].slicedCount);
  ASSERT_TRUE(parts.fit.best());
  EXPECT_GE(parts.fit.best()->estimate.sliced.size(), 3u);
  EXPECT_LT(parts.fit.best()->log2BoundElems, 7);
}

TEST_F(Ring, ADraftIsTriedOnce) {
  answer_ = [](size_t) { return fits(8); };
  Parts parts(*this);
  parts.fit.fit(draftOf(parts, 7), none_);
  parts.fit.fit(draftOf(parts, 7), none_);
  EXPECT_EQ(tried_.size(), 1u);
  EXPECT_EQ(parts.fit.trials(), 1u);
}

TEST_F(Ring, TheCheapestProgramWithinTheBoundIsTheBest) {
  answer_ = [](size_t sliced) { return fits(sliced == 1 ? 100 : 200); };
  Parts parts(*this);
  parts.fit.fit(draftOf(parts, 7), none_);
  parts.fit.fit(draftOf(parts, 20), none_); // nothing sliced: 200
  EXPECT_EQ(tried_.size(), 2u);
  EXPECT_EQ(parts.fit.bestAddresses(), 100);
  EXPECT_EQ(parts.fit.best()->estimate.sliced.size(), 1u);
  EXPECT_TRUE(parts.fit.last().estimate.sliced.empty());
  EXPECT_DOUBLE_EQ(parts.fit.workFactor(), 100);
}

TEST_F(Ring, AVariableThatIsPutBackIsEliminatedLast) {
  answer_ = [](size_t) { return fits(1); };
  Parts parts(*this);
  parts.fit.fit(draftOf(parts, 7), none_);
  SliceDraft draft = *parts.fit.best();
  const VarId sliced = draft.estimate.sliced.at(0);
  parts.fit.putBack(draft, sliced);
  EXPECT_TRUE(draft.estimate.sliced.empty());
  ASSERT_EQ(draft.order.size(), size_t{kLength});
  EXPECT_EQ(draft.order.front(), sliced);
  EXPECT_EQ(draft.estimate.log2Work,
            parts.slicer.estimate(draft.order, {}, LoopEnds::Last).log2Work);
}

/// Two loops inside each other run the inner one's buckets 256 times; with one loop they run 16
/// times.
TEST_F(Ring, SlicesThatAreNotNeededAreRemoved) {
  answer_ = [](size_t sliced) { return fits(static_cast<double>(sliced)); };
  Parts parts(*this);
  SliceDraft draft = draftOf(parts, 20);
  std::erase(draft.order, VarId{2});
  std::erase(draft.order, VarId{3});
  draft.estimate = parts.slicer.estimate(draft.order, {VarId{2}, VarId{3}}, LoopEnds::Last);
  const VarId outer = draft.estimate.sliced.at(0);
  parts.fit.fit(draft, none_);
  ASSERT_EQ(parts.fit.bestAddresses(), 2);
  parts.fit.removeUnneededSlices();
  EXPECT_EQ(parts.fit.bestAddresses(), 1);
  EXPECT_EQ(parts.fit.best()->estimate.sliced, std::vector<VarId>{outer});
  EXPECT_EQ(tried_.size(), 2u);
}

/// A variable in the middle of a chain takes as many addresses sliced as eliminated last.
TEST_F(TwoChains, SlicesThatCostNothingStay) {
  answer_ = [](size_t) { return fits(1); };
  Parts parts(*this);
  SliceDraft draft = draftOf(parts, 20);
  std::erase(draft.order, VarId{1});
  std::erase(draft.order, VarId{4});
  draft.estimate = parts.slicer.estimate(draft.order, {VarId{1}, VarId{4}}, LoopEnds::Last);
  parts.fit.fit(draft, none_);
  parts.fit.removeUnneededSlices();
  EXPECT_EQ(tried_.size(), 1u);
  EXPECT_EQ(parts.fit.best()->estimate.sliced.size(), 2u);
}

/// A better plan can save what the best one adds to the work of the plan without slices. The time
/// of the search so far may take half of that.
TEST_F(Ring, TheSearchEndsWhenItCannotPay) {
  answer_ = [](size_t) {
    TrialResult result = fits(300);
    result.tables = 1000; // some milliseconds
    return result;
  };
  task_.wholeAddresses = 200;
  const auto isDone = [this](double wholeUs, double runs) {
    task_.wholeUs = wholeUs;
    options_.runCosts.expectedRuns = runs;
    Parts parts(*this);
    EXPECT_FALSE(parts.fit.isDone()) << "no plan is known";
    parts.fit.fit(draftOf(parts, 7), none_);
    EXPECT_GT(parts.fit.spentUs(), 5000) << "shorter searches always go on";
    return parts.fit.isDone();
  };
  double spentUs = 0;
  {
    Parts parts(*this);
    parts.fit.fit(draftOf(parts, 7), none_);
    spentUs = parts.fit.spentUs();
  }
  EXPECT_FALSE(isDone(4.01 * spentUs, 1)); // half of the work is added; half of that time is spent
  EXPECT_TRUE(isDone(3.99 * spentUs, 1));
  EXPECT_FALSE(isDone(2.01 * spentUs, 2));
  EXPECT_FALSE(isDone(std::numeric_limits<double>::infinity(), 1)) << "no run is predicted";
  task_.wholeAddresses = 300;
  EXPECT_TRUE(isDone(std::numeric_limits<double>::infinity(), 1)) << "slices add no work";
  task_.wholeAddresses = 200;
  task_.spentUs = 1e9;
  EXPECT_TRUE(isDone(4.01 * spentUs, 1)) << "earlier searches count";
}

/// A plan without slices that fits the bound leaves less to gain.
TEST_F(Ring, AKnownPlanCounts) {
  answer_ = [](size_t) { return fits(300); };
  task_.wholeAddresses = 200;
  task_.wholeUs = 1e6;
  Parts unknown(*this);
  EXPECT_FALSE(unknown.fit.isDone());
  task_.knownAddresses = 200;
  Parts known(*this);
  EXPECT_TRUE(known.fit.isDone());
}

TEST_F(Ring, ADraftSufficesIfItFitsAndLittleCanBeSaved) {
  task_.wholeUs = 1;
  task_.spentUs = 1e6;
  Parts parts(*this);
  EXPECT_TRUE(parts.fit.suffices(draftOf(parts, 20)));
  EXPECT_FALSE(parts.fit.suffices(draftOf(parts, 7))) << "it exceeds the bound";
  task_.wholeUs = 1e9;
  EXPECT_FALSE(parts.fit.suffices(draftOf(parts, 20))) << "it adds seconds";
}

TEST_F(Ring, OnePlanIsLookedForWhateverTheTime) {
  const std::atomic<bool> stop{true};
  options_.search.stop = &stop;
  answer_ = [](size_t) { return fits(1); };
  Parts parts(*this);
  EXPECT_TRUE(parts.fit.isOver());
  EXPECT_TRUE(parts.fit.mustGoOn());
  parts.fit.fit(draftOf(parts, 7), none_);
  EXPECT_EQ(tried_.size(), 1u);
  EXPECT_FALSE(parts.fit.mustGoOn());
}

} // namespace
