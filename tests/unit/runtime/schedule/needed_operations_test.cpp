// The operations that a run needs, on a bundle of two branches: every rule of needed_operations.h.
#include "codegen/bundle/bundle.h"
#include "runtime/api/session.h"
#include "runtime/schedule/build_schedule.h"
#include "runtime/schedule/needed_operations.h"

#include <algorithm>
#include <gtest/gtest.h>

namespace mpf {
namespace {

/// Two branches below z: a - b - z and c - z. A later message of a's branch has the memory of a's.
constexpr const char *kNeededModel = R"(
  var a, b, c, z : 8
  factor e(a, b) = input
  factor f(b, z) = input
  factor g(c, z) = input
  order z > c > b > a
  query evidence
)";

class Needed : public testing::TestWithParam<bool> {
protected:
  Needed() : program_(compileText(kNeededModel, options())), needed_(program_.bundle()) {}

  static CompileOptions options() {
    CompileOptions options;
    options.device = "cpu";
    options.keepMessages = GetParam();
    return options;
  }
  const Bundle &bundle() const { return program_.bundle(); }
  BufferId input(const std::string &factor) const {
    for (const BundleInput &input : bundle().inputs)
      if (input.factor == factor)
        return input.buffer;
    ADD_FAILURE() << "no input " << factor;
    return BufferId{};
  }
  size_t run() {
    needed_.choose(schedule_);
    needed_.ran();
    return needed_.count();
  }

  Program program_;
  NeededOperations needed_;
  Schedule schedule_ = buildSchedule(program_.bundle(), DeviceId::cpu());
};

TEST_P(Needed, AllAtFirstNothingWithoutChanges) {
  ASSERT_EQ(bundle().operations.size(), 4u);
  EXPECT_EQ(run(), 4u);
  EXPECT_EQ(run(), 0u);
  needed_.inputChanged(input("f"));
  // A later message of the branch has the memory of a's, unless that is separate; c's stays.
  EXPECT_EQ(run(), GetParam() ? 2u : 3u);
  EXPECT_EQ(run(), 0u);
  needed_.inputChanged(input("g"));
  needed_.inputChanged(input("e"));
  EXPECT_EQ(run(), 4u);
}

/// A chain that ran as one kernel stored no inner results: all of it runs again, or nothing.
TEST_P(Needed, ChainsRunWholeOrNotAtAll) {
  Bundle chained = bundle();
  for (uint32_t i = 0; i < chained.buffers.size(); ++i)
    chained.buffers[i].offsetBytes = uint64_t{4096} * i; // every message outlasts a run
  const auto reads = [&](uint32_t operation, BufferId buffer) {
    const auto &operands = chained.operations[operation].operands;
    return std::any_of(operands.begin(), operands.end(),
                       [&](const BundleAccess &access) { return access.buffer == buffer; });
  };
  uint32_t first = 0; // a's bucket, then b's
  while (!reads(first, input("e")))
    ++first;
  ASSERT_TRUE(reads(first + 1, chained.operations[first].result.buffer));
  chained.chains = {{first, 2, 0, 0}};
  for (const bool marked : {false, true}) {
    Bundle bundle = chained;
    if (!marked)
      bundle.chains.clear();
    NeededOperations needed(bundle);
    needed.choose(schedule_);
    needed.ran();
    needed.inputChanged(input("f")); // of b's bucket
    needed.choose(schedule_);
    EXPECT_EQ(needed.count(), marked ? 3u : 2u);
    needed.ran();
    needed.inputChanged(input("g"));
    needed.choose(schedule_);
    EXPECT_EQ(needed.count(), 2u) << "the chain's own result is there";
    needed.ran();
  }
}

TEST_P(Needed, AFailedRunLeavesNothing) {
  EXPECT_EQ(run(), 4u);
  needed_.inputChanged(input("f"));
  needed_.choose(schedule_);
  needed_.forget();
  EXPECT_EQ(run(), 4u);
}

/// Results in memory that two buffers share are never kept.
TEST_P(Needed, BuffersThatOverlapDoNotOutlastARun) {
  Bundle shared = bundle();
  for (BundleBuffer &buffer : shared.buffers)
    if (!buffer.input)
      buffer.offsetBytes = 0;
  NeededOperations needed(shared);
  needed.choose(schedule_);
  needed.ran();
  needed.inputChanged(input("g"));
  needed.choose(schedule_);
  EXPECT_EQ(needed.count(), 4u);
}

/// An operation that no output depends on is run once and never again.
TEST_P(Needed, WhatNothingReadsIsNotNeeded) {
  Bundle dead = bundle();
  BundleOperation unread = dead.operations.front();
  BundleBuffer alone = dead.buffers[unread.result.buffer.index()];
  alone.offsetBytes = dead.workArenaBytes;
  unread.result.buffer = BufferId{dead.buffers.size()};
  dead.buffers.push_back(alone);
  dead.operations.push_back(unread);
  dead.workArenaBytes += 4096;
  NeededOperations needed(dead);
  needed.choose(schedule_);
  needed.ran();
  needed.choose(schedule_);
  EXPECT_EQ(needed.count(), 0u);
}

INSTANTIATE_TEST_SUITE_P(Kept, Needed, testing::Bool());

} // namespace
} // namespace mpf
