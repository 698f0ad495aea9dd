// Choices of operations that alternate: the flags of each, and whether it can run again.
#include "runtime/execute/gpu/chosen_operations.h"

#include "tests/oracle/bundle_builder.h"
#include "tests/unit/runtime/execute/gpu/slices/looped_bundle.h"

#include <gtest/gtest.h>

namespace mpf {
namespace {

using Flags = std::vector<char>;

/// Two steps of a chain. Optionally, the second result has the memory of the first.
Bundle chainOfTwo(bool overwrites) {
  oracle::BundleBuilder build;
  const VarId a = build.variable(2), b = build.variable(2);
  const BufferId input = build.input({a, b}, {1, 2, 3, 4});
  const Semiring sumTimes{Reduce::Sum, Combine::Times};
  const BufferId first = build.operation(sumTimes, {input}, {b});
  const BufferId second = build.operation(sumTimes, {first}, {b});
  build.output(second);
  Bundle bundle = build.finish();
  if (overwrites)
    bundle.buffers[second.index()].offsetBytes = bundle.buffers[first.index()].offsetBytes;
  return bundle;
}

TEST(ChosenOperations, AreAllAtFirst) {
  const ReplicatedBundle program = replicateSlices(chainOfTwo(false), {});
  const ChosenOperations chosen(program);
  EXPECT_EQ(chosen.runs(), (Flags{1, 1}));
  EXPECT_EQ(chosen.led(), (Flags{1, 1}));
  EXPECT_TRUE(chosen.canRunAgain());
}

TEST(ChosenOperations, AreEachWhatTheyWereWhenTheyComeBack) {
  const ReplicatedBundle program = replicateSlices(chainOfTwo(true), {});
  ChosenOperations chosen(program);
  for (int time = 0; time < 3; ++time) {
    chosen.use({0, 1});
    EXPECT_EQ(chosen.runs(), (Flags{0, 1}));
    EXPECT_FALSE(chosen.canRunAgain()) << "it overwrites what another run has left for it";
    chosen.use({1, 0});
    EXPECT_EQ(chosen.runs(), (Flags{1, 0}));
    EXPECT_TRUE(chosen.canRunAgain());
    chosen.use({1, 1});
    EXPECT_TRUE(chosen.canRunAgain());
  }
}

/// More choices than are remembered, for a bundle with slices side by side.
TEST(ChosenOperations, AreForgottenAndMadeAgain) {
  const Bundle bundle = loopedBundle();
  SliceReplicas counts(bundle.sliced.size(), 2);
  const ReplicatedBundle program = replicateSlices(bundle, counts);
  ASSERT_GT(program.original.size(), bundle.operations.size());
  ChosenOperations chosen(program);
  for (int turn = 0; turn < 2; ++turn)
    for (size_t bits = 1; bits <= ChosenOperations::kMostChoices + 20; ++bits) {
      Flags given(bundle.operations.size(), 0);
      for (size_t i = 0; i < given.size(); ++i)
        given[i] = (bits >> i & 1) != 0;
      chosen.use(given);
      ASSERT_EQ(chosen.runs(), program.flagsOf(given, true)) << bits;
      ASSERT_EQ(chosen.led(), program.flagsOf(given, false)) << bits;
    }
}

} // namespace
} // namespace mpf
