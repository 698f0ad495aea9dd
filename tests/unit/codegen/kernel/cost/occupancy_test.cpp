// B_a and the ceiling of equation 12 of the ASAP'12 model, on an sm_90: 132 multiprocessors of 2048
// threads, 32 blocks, 228 KiB and 4 x 16384 registers. Every figure is worked out by hand.
#include "codegen/kernel/cost/occupancy.h"

#include "tests/unit/codegen/kernel/hand_plans.h"

#include <gtest/gtest.h>

using namespace mpf;
using namespace mpf::test;

namespace {

const Target kDevice = targetNamed("sm_90");

LaunchShape launchOf(uint32_t threads, uint32_t registers, uint32_t sharedBytes = 0) {
  LaunchShape launch;
  launch.blockThreads = threads;
  launch.estimatedRegisters = registers;
  launch.sharedBytes = sharedBytes;
  return launch;
}

TEST(ActiveBlocks, ThreadSlotsCountWholeWarps) {
  EXPECT_EQ(activeBlocks(launchOf(256, 16), 0, kDevice), 8u);
  EXPECT_EQ(activeBlocks(launchOf(1024, 16), 0, kDevice), 2u);
  EXPECT_EQ(activeBlocks(launchOf(96, 16), 0, kDevice), 21u); // 2048 / 96 = 21.3
  EXPECT_EQ(activeBlocks(launchOf(65, 16), 0, kDevice), 21u); // three warps
}

TEST(ActiveBlocks, BlockSlots) {
  EXPECT_EQ(activeBlocks(launchOf(32, 16), 0, kDevice), 32u); // threads would allow 64
}

/// 1 KiB of each block belongs to the system.
TEST(ActiveBlocks, SharedMemory) {
  EXPECT_EQ(activeBlocks(launchOf(128, 16, 75 << 10), 0, kDevice), 3u); // 228 / 76
  EXPECT_EQ(activeBlocks(launchOf(128, 16, (75 << 10) + 1), 0, kDevice), 2u);
  EXPECT_EQ(activeBlocks(launchOf(128, 16, 227 << 10), 0, kDevice), 1u);
}

/// A scheduler has registers for 16384 / (32 * 128) = 4 warps of 128 registers a thread.
TEST(ActiveBlocks, RegistersOfTheSchedulers) {
  EXPECT_EQ(activeBlocks(launchOf(128, 128), 0, kDevice), 4u);
  EXPECT_EQ(activeBlocks(launchOf(128, 129), 0, kDevice), 3u);
  EXPECT_EQ(activeBlocks(launchOf(96, 128), 0, kDevice), 5u); // 16 warps, three each
  EXPECT_EQ(activeBlocks(launchOf(128, 120), 8, kDevice), 4u);
  EXPECT_EQ(activeBlocks(launchOf(128, 121), 8, kDevice), 3u) << "the slack counts";
}

TEST(ActiveBlocks, AtLeastOne) {
  EXPECT_EQ(activeBlocks(launchOf(1024, 255), 0, kDevice), 1u);
  EXPECT_EQ(activeBlocks(launchOf(32, 16, 400 << 10), 0, kDevice), 1u);
}

/// Kernels that sum logarithms leave 16 registers to the compiler, others 8.
TEST(ActiveBlocks, OfAPlanHasSlack) {
  NestPlan plan = pairTile(128, 128, 16);
  plan.launch = launchOf(128, 120);
  EXPECT_EQ(activeBlocks(plan.form, plan, kDevice), 4u);
  plan.valueForm = ValueForm::Log;
  EXPECT_EQ(activeBlocks(plan.form, plan, kDevice), 3u);
}

LaunchShape gridOf(uint64_t blocks, uint32_t perSm) {
  LaunchShape launch;
  launch.gridBlocks = blocks;
  launch.blockThreads = 256;
  launch.minBlocksPerSm = perSm;
  return launch;
}

/// ceil(B_r / (B_a MP)): the next block after a multiple of B_a MP begins a round.
TEST(BlockRounds, AreTheCeilingOfEquationTwelve) {
  for (const uint32_t active : {1U, 2U, 3U, 8U})
    for (const uint64_t rounds : {1U, 2U, 5U}) {
      const uint64_t full = rounds * active * 132;
      EXPECT_EQ(blockRounds(gridOf(full, active), kDevice), rounds);
      EXPECT_EQ(blockRounds(gridOf(full - 1, active), kDevice), rounds);
      if (rounds < 5) {
        EXPECT_EQ(blockRounds(gridOf(full + 1, active), kDevice), rounds + 1);
      }
    }
  EXPECT_EQ(blockRounds(gridOf(1, 8), kDevice), 1);
}

/// Blocks of one round no longer begin together after many of them.
TEST(BlockRounds, TheLastOfManyIsHalfFull) {
  EXPECT_EQ(blockRounds(gridOf(6 * 132, 1), kDevice), 6.5);
  EXPECT_EQ(blockRounds(gridOf(9 * 2 * 132, 2), kDevice), 9.5);
}

TEST(WaveFactor, IsTheBusiestMultiprocessorOverTheAverage) {
  EXPECT_DOUBLE_EQ(waveFactor(gridOf(132, 1), kDevice), 1);
  EXPECT_DOUBLE_EQ(waveFactor(gridOf(7 * 132, 2), kDevice), 1);
  EXPECT_DOUBLE_EQ(waveFactor(gridOf(133, 1), kDevice), 2 * 132 / 133.0);
  EXPECT_DOUBLE_EQ(waveFactor(gridOf(66, 1), kDevice), 2);
  EXPECT_DOUBLE_EQ(waveFactor(gridOf(1, 1), kDevice), 132);
}

/// 16384 registers of a scheduler over its warps, in units of 8, at most 255.
TEST(ReservedRegisters, AreTheShareOfTheBusiestScheduler) {
  EXPECT_EQ(reservedRegisters(gridOf(132, 2), kDevice), 128u); // 16 warps, four each
  EXPECT_EQ(reservedRegisters(gridOf(132, 3), kDevice), 80u);  // 24 warps, six each: 85
  EXPECT_EQ(reservedRegisters(gridOf(132, 1), kDevice), 255u); // two each: 256
}

/// No more blocks than the grid has: a small grid leaves its threads all registers.
TEST(SetOccupancy, SmallGridsAskForFewBlocks) {
  NestPlan plan = oneStepStream(512, 4, ElementType::F64);
  plan.launch.gridBlocks = 132;
  setOccupancy(plan, kDevice);
  EXPECT_EQ(plan.launch.minBlocksPerSm, 1u);
  plan.launch.gridBlocks = 133;
  setOccupancy(plan, kDevice);
  EXPECT_EQ(plan.launch.minBlocksPerSm, 2u);
  plan.launch.gridBlocks = 1 << 20;
  setOccupancy(plan, kDevice);
  EXPECT_EQ(plan.launch.minBlocksPerSm, activeBlocks(plan.form, plan, kDevice));
  EXPECT_GT(plan.launch.minBlocksPerSm, 2u);
}

} // namespace
