#include "runtime/schedule/slices/choose_replicas.h"

#include "tests/unit/runtime/execute/gpu/slices/looped_bundle.h"

#include <gtest/gtest.h>

namespace mpf {
namespace {

uint64_t furtherBytes(const Bundle &bundle, const SliceReplicas &counts) {
  return replicateSlices(bundle, counts).bundle.workArenaBytes - bundle.workArenaBytes;
}

/// Returns loops whose slices have the given number of addresses.
Bundle withAddresses(uint64_t addresses) {
  Bundle bundle = loopedBundle();
  for (BundleOperation &operation : bundle.operations)
    if (operation.loop != 0 && !operation.accumulates)
      operation.digits.push_back({addresses, true});
  for (BundleOperation &operation : bundle.operations) {
    for (BundleAccess &operand : operation.operands)
      operand.stridesElems.resize(operation.digits.size(), 0);
    operation.result.stridesElems.resize(operation.digits.size(), 0);
  }
  return bundle;
}

TEST(ChooseReplicas, TakeAllSlicesSideBySideThatDoLittle) {
  EXPECT_EQ(chooseReplicas(withAddresses(2), {}), (SliceReplicas{3, 4, 5}));
}

TEST(ChooseReplicas, TakeSlicesOneByOneThatFillTheDevice) {
  EXPECT_EQ(chooseReplicas(withAddresses(uint64_t{1} << 30), {}), (SliceReplicas{1, 1, 1}));
}

TEST(ChooseReplicas, TakeSlicesOneByOneWhoseKernelsTakeAllTime) {
  Bundle bundle = loopedBundle(true);
  bundle.kernels[0].predictedUs = 1000; // of operation 4, in loop 1
  EXPECT_EQ(chooseReplicas(bundle, {}), (SliceReplicas{1, 1, 1}));
}

TEST(ChooseReplicas, TakeSlicesOneByOneWhoseChainsTakeAllTime) {
  Bundle bundle = loopedBundle(true);
  bundle.operations[4].kernel.reset();
  bundle.chains.push_back({4, 1, 1, 0});
  EXPECT_EQ(chooseReplicas(bundle, {}), (SliceReplicas{3, 4, 5}));
  bundle.kernels[0].predictedUs = 1000;
  EXPECT_EQ(chooseReplicas(bundle, {}), (SliceReplicas{1, 1, 1}));
}

TEST(ChooseReplicas, StayWithinTheirMemory) {
  const Bundle bundle = withAddresses(2);
  ReplicaOptions options;
  options.mostBytes = 0;
  EXPECT_EQ(chooseReplicas(bundle, options), (SliceReplicas{1, 1, 1}));
  for (uint64_t bytes = 256; bytes < 8192; bytes += 256) {
    options.mostBytes = bytes;
    for (const uint32_t atOnce : {0u, 4u}) {
      options.atOnce = atOnce;
      EXPECT_LE(furtherBytes(bundle, chooseReplicas(bundle, options)), bytes + 255);
    }
  }
}

/// The number of slices side by side never exceeds that of the loop.
TEST(ChooseReplicas, TakeAsManyAsAreAskedFor) {
  const Bundle bundle = loopedBundle();
  ReplicaOptions options;
  options.atOnce = 1;
  EXPECT_EQ(chooseReplicas(bundle, options), (SliceReplicas{1, 1, 1}));
  options.atOnce = 2;
  EXPECT_EQ(chooseReplicas(bundle, options), (SliceReplicas{2, 2, 2}));
  options.atOnce = 4;
  EXPECT_EQ(chooseReplicas(bundle, options), (SliceReplicas{3, 4, 4}));
}

TEST(ChooseReplicas, GoByTheSpeedOfTheDevice) {
  ReplicaOptions wide, narrow;
  narrow.speed.multiprocessors = 1;
  narrow.speed.residentBlocks = 1;
  narrow.speed.launchUs = narrow.speed.sliceLaunchUs = 0.001;
  EXPECT_EQ(chooseReplicas(withAddresses(1 << 12), narrow), (SliceReplicas{1, 1, 1}));
  EXPECT_EQ(chooseReplicas(withAddresses(1 << 12), wide), (SliceReplicas{3, 4, 5}));
}

/// All results are laid apart, in the order of their size.
TEST(ReplicateForGpu, LaysResultsOfAllReplicasApart) {
  const Bundle given = loopedBundle();
  const ReplicatedBundle program = replicateForGpu(given, {});
  EXPECT_EQ(program.counts, (SliceReplicas{3, 4, 5}));
  EXPECT_LE(program.bundle.workArenaBytes, given.workArenaBytes + kApartBytes);
  for (const BundleBuffer &buffer : program.bundle.buffers)
    if (!buffer.input) {
      EXPECT_GE(buffer.offsetBytes, given.workArenaBytes + program.furtherBytes) << buffer.name;
    }
  ReplicaOptions one;
  one.atOnce = 1;
  const ReplicatedBundle alone = replicateForGpu(given, one);
  const Bundle apart = layApart(given);
  EXPECT_EQ(alone.bundle.workArenaBytes, apart.workArenaBytes);
  for (size_t i = 0; i < apart.buffers.size(); ++i)
    EXPECT_EQ(alone.bundle.buffers[i].offsetBytes, apart.buffers[i].offsetBytes);
}

TEST(ChooseReplicas, HaveNoneWithoutLoops) {
  Bundle bundle = loopedBundle();
  bundle.operations.resize(1);
  bundle.sliced.clear();
  bundle.loops = {};
  EXPECT_EQ(chooseReplicas(bundle, {}), SliceReplicas());
}

} // namespace
} // namespace mpf
