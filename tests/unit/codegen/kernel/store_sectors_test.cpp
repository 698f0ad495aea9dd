// Tests stores that fill sectors: how lanes are distributed for that, and the count of the model
// for stores that do not.
#include "codegen/kernel/build/candidates.h"
#include "codegen/kernel/build_kernel.h"
#include "codegen/kernel/cost/cost_traffic.h"
#include "codegen/kernel/form/build_digit_form.h"
#include "codegen/kernel/plan/kernel_shape.h"
#include "tests/unit/codegen/kernel/bucket_builder.h"

#include <gtest/gtest.h>

namespace mpf {
namespace {

TEST(PartOf, PrefersMultiplesOfTheUnit) {
  EXPECT_EQ(partOf(1296, 32), 27u); // 2^4 3^4: the greatest divisor
  EXPECT_EQ(partOf(1296, 32, 2), 24u);
  EXPECT_EQ(partOf(315, 32, 2), 21u) << "an odd number has only odd divisors";
  EXPECT_EQ(partOf(24, 32, 2), 24u);
  EXPECT_EQ(partOf(37, 32, 2), 20u) << "no divisor: equal parts, rounded up to the unit";
}

TEST(PartOf, NeverGivesMoreThanWanted) {
  for (uint64_t left = 1; left <= 100; ++left)
    for (uint64_t want = 1; want <= 32; ++want)
      for (const uint64_t unit : {1, 2, 4, 8}) {
        const uint64_t part = partOf(left, want, unit);
        ASSERT_GE(part, 1u);
        ASSERT_LE(part, std::min(left, want)) << left << ' ' << want << ' ' << unit;
      }
}

TEST(LanesOfSector, FillThirtyTwoBytes) {
  EXPECT_EQ(lanesOfSector(4, ElementType::F32), 2u);
  EXPECT_EQ(lanesOfSector(1, ElementType::F32), 8u);
  EXPECT_EQ(lanesOfSector(2, ElementType::F64), 2u);
  EXPECT_EQ(lanesOfSector(4, ElementType::F64), 1u);
}

/// out(y, x) = f(x) g(y): `threads` lanes of four x each, `blocks` such runs in a row, and a row
/// for each block.
NestPlan rowsOf(uint64_t threads, uint64_t blocks, uint32_t vector) {
  const uint64_t extent = 4 * threads * blocks;
  NestPlan plan;
  plan.type = ElementType::F32;
  plan.form =
      buildDigitForm(bucket("yx", {16, static_cast<uint32_t>(extent)}, {"x", "y"}, "yx"), OpId(0));
  plan.axes = {{"d0_b", AxisRole::Block, DigitId(0), 16, 1},
               {"d1_b", AxisRole::Block, DigitId(1), blocks, 4 * threads},
               {"d1_t", AxisRole::Thread, DigitId(1), threads, 4},
               {"d1_r", AxisRole::Register, DigitId(1), 4, 1}};
  plan.launch.blockThreads = static_cast<uint32_t>(threads);
  plan.launch.gridBlocks = 16 * blocks;
  plan.storeVector = vector;
  return plan;
}

TEST(PartialSectors, AreTheEndsOfRunsInsideSectors) {
  const Target target = targetNamed("sm_90");
  EXPECT_EQ(partialSectors(rowsOf(32, 3, 4), target), 0); // 512 bytes
  EXPECT_EQ(partialSectors(rowsOf(30, 3, 4), target), 0); // 480: 15 sectors
  // 432 bytes are 13.5 sectors: one end of each run, whichever it is.
  EXPECT_EQ(partialSectors(rowsOf(27, 4, 4), target), 16 * 4);
  // Stored one by one, 16 bytes apart: a sector is filled by eight stores.
  EXPECT_EQ(partialSectors(rowsOf(32, 1, 1), target), 16 * 4 * 32);
}

} // namespace
} // namespace mpf
