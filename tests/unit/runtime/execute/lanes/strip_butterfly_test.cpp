// Butterflies: the products of a program that are butterflies, the places of their messages, and
// their inner loops.
#include "runtime/execute/lanes/strip_butterfly.h"

#include "dsl/support/split_mix.h"
#include "runtime/execute/lanes/strip_schedule.h"

#include <algorithm>
#include <cmath>
#include <cstring>
#include <gtest/gtest.h>
#include <limits>

namespace mpf {
namespace {

/// A message over `digits` of two states and products with tables that cases give.
class StageChain {
public:
  explicit StageChain(size_t digits) {
    program.semiring = {Reduce::Sum, Combine::Times};
    result_ = message(uint64_t{1} << digits);
    program.steps.push_back(LaneGather{weights(1), result_, {}});
    for (size_t d = 0; d < digits; ++d)
      strides_.push_back(uint64_t{1} << d);
  }

  /// Adds a product that replaces digit `at`, with a table that depends on `also` too. Its result
  /// has the digits in another order.
  uint32_t replace(size_t at, std::vector<size_t> also = {}) {
    LaneOperation operation;
    operation.semiring = program.semiring;
    LaneAccess before{result_, 0, {}};
    LaneAccess table{weights(uint64_t{4} << also.size()), 0, {}};
    LaneAccess after{message(uint64_t{1} << strides_.size()), 0, {}};
    std::vector<uint64_t> turned = strides_;
    std::rotate(turned.begin(), turned.begin() + 1, turned.end());
    for (size_t d = 0; d < strides_.size(); ++d) {
      operation.digits.push_back({2, false});
      before.stridesElems.push_back(d == at ? 0 : strides_[d]);
      const auto place = static_cast<size_t>(std::ranges::find(also, d) - also.begin());
      table.stridesElems.push_back(d == at ? 1 : place == also.size() ? 0 : uint64_t{4} << place);
      after.stridesElems.push_back(turned[d]);
    }
    operation.digits.push_back({2, true});
    before.stridesElems.push_back(strides_[at]);
    table.stridesElems.push_back(2);
    after.stridesElems.push_back(0);
    operation.operands = {table, before};
    operation.result = after;
    program.steps.push_back(operation);
    strides_ = turned;
    return result_ = after.table;
  }

  /// Returns the steps of each butterfly, if messages in `rescaled` are rescaled.
  std::vector<std::vector<size_t>> found(const std::vector<uint32_t> &rescaled = {}) const {
    std::vector<std::vector<size_t>> steps;
    for (const Butterfly &one : findButterflies(program, planOf(rescaled)))
      steps.push_back(one.steps);
    return steps;
  }

  LinearPlan planOf(const std::vector<uint32_t> &rescaled) const {
    LinearPlan plan;
    plan.rescaled.assign(program.tables.size(), 0);
    for (const uint32_t table : rescaled)
      plan.rescaled[table] = 1;
    return plan;
  }

  LaneProgram program;

private:
  uint32_t add(LaneTableKind kind, uint64_t elems) {
    program.tables.push_back({"t", kind, elems, program.laneElems, 0});
    if (kind == LaneTableKind::Message)
      program.laneElems += elems;
    return static_cast<uint32_t>(program.tables.size() - 1);
  }
  uint32_t message(uint64_t elems) { return add(LaneTableKind::Message, elems); }
  uint32_t weights(uint64_t elems) { return add(LaneTableKind::Weights, elems); }

  uint32_t result_;
  std::vector<uint64_t> strides_; ///< strides of the last result, by digit
};

using Steps = std::vector<std::vector<size_t>>;

TEST(StripButterfly, UpToThreeProductsInARowAreOne) {
  StageChain chain(6);
  for (size_t d = 0; d < 5; ++d)
    chain.replace(d);
  EXPECT_EQ(chain.found(), (Steps{{1, 2, 3}, {4, 5}}));
  const std::vector<Butterfly> all = findButterflies(chain.program, chain.planOf({}));
  EXPECT_EQ(all[0].extents, (std::vector<uint64_t>{2, 2, 2}));
  EXPECT_EQ(all[0].input.stageStrides, (std::array<uint64_t, 3>{1, 2, 4}));
  EXPECT_EQ(all[0].input.stridesElems, (std::vector<uint64_t>{32, 16, 8}));
  // Each step turns the strides by one digit.
  EXPECT_EQ(all[0].result.stageStrides, (std::array<uint64_t, 3>{8, 16, 32}));
  EXPECT_EQ(all[0].result.stridesElems, (std::vector<uint64_t>{4, 2, 1}));
  EXPECT_EQ(all[0].tables[1].stageStrides, (std::array<uint64_t, 3>{0, 2, 0}));
  EXPECT_EQ(all[0].tables[1].madeStride, 1u);
}

TEST(StripButterfly, TablesMayDependOnWhatOtherStagesReplaceAndMake) {
  StageChain chain(5);
  chain.replace(0, {1, 3}); // before digit 1 is replaced
  chain.replace(1, {0});    // by what digit 0 has become
  ASSERT_EQ(chain.found(), (Steps{{1, 2}}));
  const std::vector<Butterfly> all = findButterflies(chain.program, chain.planOf({}));
  EXPECT_EQ(all[0].tables[0].stageStrides, (std::array<uint64_t, 3>{2, 4, 0}));
  EXPECT_EQ(all[0].tables[0].stridesElems, (std::vector<uint64_t>{0, 8, 0}));
  EXPECT_EQ(all[0].tables[1].stageStrides, (std::array<uint64_t, 3>{4, 2, 0}));
}

TEST(StripButterfly, NoStepReplacesWhatItsButterflyMade) {
  StageChain chain(4);
  chain.replace(0);
  chain.replace(0);
  chain.replace(1);
  EXPECT_EQ(chain.found(), (Steps{{2, 3}}));
}

TEST(StripButterfly, WhatIsRescaledOrReadByOthersIsTheLastResult) {
  StageChain chain(5);
  chain.replace(0);
  const uint32_t second = chain.replace(1);
  chain.replace(2);
  chain.replace(3);
  EXPECT_EQ(chain.found({second}), (Steps{{1, 2}, {3, 4}}));
  EXPECT_EQ(chain.found(), (Steps{{1, 2, 3}}));
  chain.program.outputs.push_back({{"second", {}, false}, {}, {second, 0, {}}});
  EXPECT_EQ(chain.found(), (Steps{{1, 2}, {3, 4}}));
}

TEST(StripSchedule, MessagesThatAreNeededTogetherShareNothing) {
  StageChain chain(6);
  for (size_t d = 0; d < 6; ++d)
    chain.replace(d);
  const StripSchedule schedule = scheduleButterflies(chain.program, chain.planOf({}));
  for (size_t i = 0; i < 7; ++i)
    EXPECT_EQ(schedule.runs(i), i % 3 == 0) << i;
  EXPECT_EQ(schedule.laneElems, 2u << 6);
  for (const Butterfly &one : schedule.butterflies) {
    const uint64_t from = schedule.offsetsElems[one.input.table];
    const uint64_t to = schedule.offsetsElems[one.result.table];
    EXPECT_GE(std::max(from, to) - std::min(from, to), 1u << 6);
  }
  EXPECT_EQ(scheduleAlone(chain.program).laneElems, chain.program.laneElems);
}

template <class T> class ButterflyKernelsTest : public testing::Test {
protected:
  /// Returns the kernels of every instruction set that this processor has.
  static std::vector<const StripKernels<T> *> strips() {
    std::vector<const LaneKernels<T> *> sets{&laneKernels<T>()};
    if constexpr (sizeof(T) == 8)
      sets.push_back(&kLaneBaselineF64);
    else
      sets.push_back(&kLaneBaselineF32);
#ifdef __x86_64__
    if (__builtin_cpu_supports("avx2") && __builtin_cpu_supports("fma")) {
      if constexpr (sizeof(T) == 8)
        sets.push_back(&kLaneAvx2F64);
      else
        sets.push_back(&kLaneAvx2F32);
    }
#endif
    std::vector<const StripKernels<T> *> strips;
    for (const LaneKernels<T> *set : sets) {
      strips.push_back(&set->wide);
      strips.push_back(&set->narrow);
    }
    return strips;
  }
};
using ButterflyTypes = testing::Types<double, float>;
TYPED_TEST_SUITE(ButterflyKernelsTest, ButterflyTypes);

/// Small whole numbers, whose sums are exact in any order.
template <class T> class RandomButterfly {
public:
  RandomButterfly(uint64_t seed, const StripKernels<T> &kernels)
      : random_(seed), kernels_(kernels), stages_(2 + seed % 2), mayDepend_(seed % 4 < 2),
        passive_(1 + nextRandom(random_) % 5), all_(passive_ << stages_) {
    for (size_t o = 0; o < passive_; ++o)
      outer_.push_back(o << stages_);
    entries_ = random(all_);
    for (size_t s = 0; s < stages_; ++s)
      tables_.push_back(random(4 * all_));
    result_.assign(all_ * kernels.lanes, T{-7});
  }

  void check(bool isMax) {
    LaneButterfly<T> butterfly;
    butterfly.outer = passive_;
    butterfly.stages = stages_;
    butterfly.input = {entries_.data(), outer_.data(), &kNone, {}, 0};
    butterfly.result = result_.data();
    butterfly.resultOuter = outer_.data();
    butterfly.resultInner = &kNone;
    StripRange<T> range;
    butterfly.range = &range;
    for (size_t s = 0; s < stages_; ++s) {
      butterfly.input.strides[s] = size_t{1} << s;
      butterfly.resultStrides[s] = size_t{1} << (stages_ - 1 - s);
      butterfly.table[s] = {tables_[s].data(), outer_.data(), &kNone, {}, all_};
      for (size_t other = 0; other < stages_; ++other)
        butterfly.table[s].strides[other] = other == s   ? 2 * all_
                                            : mayDepend_ ? size_t{1} << other
                                                         : 0;
    }
    (isMax ? kernels_.maxButterfly : kernels_.sumButterfly)(butterfly);
    for (size_t o = 0; o < passive_; ++o)
      for (size_t lane = 0; lane < kernels_.lanes; ++lane)
        checkBlock(o << stages_, lane, isMax);
    for (size_t lane = 0; lane < kernels_.lanes; ++lane)
      EXPECT_EQ(range.greatest[lane], greatestBits(lane));
  }

private:
  std::vector<T> random(size_t entries) {
    std::vector<T> made;
    for (size_t e = 0; e < entries * kernels_.lanes; ++e)
      made.push_back(static_cast<T>(nextRandom(random_) % 4) - T{1});
    return made;
  }

  void checkBlock(size_t first, size_t lane, bool isMax) {
    std::vector<T> block;
    for (size_t e = 0; e < size_t{1} << stages_; ++e)
      block.push_back(entries_[(first + e) * kernels_.lanes + lane]);
    for (size_t s = 0; s < stages_; ++s) {
      const std::vector<T> before = block;
      for (size_t e = 0; e < block.size(); ++e) {
        const size_t bit = size_t{1} << s, others = mayDepend_ ? e & ~bit : 0;
        const auto table = [&](size_t replaced) {
          const size_t at = first + others + ((e & bit) != 0 ? all_ : 0) + replaced * 2 * all_;
          return tables_[s][at * kernels_.lanes + lane];
        };
        const T low = before[e & ~bit] * table(0), high = before[e | bit] * table(1);
        block[e] = isMax ? std::max(low, high) : low + high;
      }
    }
    for (size_t e = 0; e < block.size(); ++e) {
      size_t turned = 0;
      for (size_t s = 0; s < stages_; ++s)
        turned |= (e >> s & 1) << (stages_ - 1 - s);
      ASSERT_EQ(result_[(first + turned) * kernels_.lanes + lane], block[e]) << e;
    }
  }

  typename StripRange<T>::Bits greatestBits(size_t lane) const {
    T greatest = 0;
    for (size_t e = 0; e < all_; ++e)
      greatest = std::max(greatest, std::abs(result_[e * kernels_.lanes + lane]));
    typename StripRange<T>::Bits bits;
    std::memcpy(&bits, &greatest, sizeof bits);
    return bits;
  }

  static constexpr uint64_t kNone = 0;
  uint64_t random_;
  const StripKernels<T> &kernels_;
  const size_t stages_;
  const bool mayDepend_; ///< whether tables may depend on the states of other stages
  const size_t passive_, all_;
  std::vector<uint64_t> outer_;
  std::vector<T> entries_, result_;
  std::vector<std::vector<T>> tables_;
};

TYPED_TEST(ButterflyKernelsTest, AreThoseOfPlainLoops) {
  for (const StripKernels<TypeParam> *kernels : this->strips())
    for (uint64_t seed = 0; seed < 100; ++seed)
      RandomButterfly<TypeParam>(seed, *kernels).check(seed % 5 == 0);
}

} // namespace
} // namespace mpf
