// Tests how lanes of a warp share loads: merged phases, interleaved lanes, and plans for operands
// that each miss one kept digit.
#include "codegen/kernel/build/axis_divider.h"
#include "codegen/kernel/build_kernel.h"
#include "codegen/kernel/cost/occupancy.h"
#include "codegen/kernel/form/build_digit_form.h"
#include "codegen/kernel/plan/bank_conflicts.h"
#include "codegen/kernel/plan/interleave_lanes.h"
#include "codegen/kernel/plan/kernel_shape.h"
#include "tests/unit/codegen/kernel/bucket_builder.h"

#include <gtest/gtest.h>
#include <set>

using namespace mpf;

namespace {

/// Wavefronts of loads of `width` floats, lane i from element offsetOf(i).
template <class OffsetOf>
uint32_t wavefronts(uint32_t width, OffsetOf offsetOf, bool final = true) {
  std::vector<uint64_t> offsets;
  for (uint64_t lane = 0; lane < 32; ++lane)
    offsets.push_back(offsetOf(lane));
  return mergedWavefronts(offsets, width, 4, targetNamed("sm_90"), final);
}

// Measured on an H200: 4 clocks for a warp's 16-byte loads, 2 where neighbours agree.
TEST(MergedWavefronts, AreHalvedWhereNeighboursAgree) {
  EXPECT_EQ(wavefronts(4, [](uint64_t lane) { return 4 * lane; }), 4u);
  EXPECT_EQ(wavefronts(4, [](uint64_t) { return 0; }), 2u);
  EXPECT_EQ(wavefronts(4, [](uint64_t lane) { return lane / 2 * 4; }), 2u);
  EXPECT_EQ(wavefronts(4, [](uint64_t lane) { return (lane % 2 + lane / 4 * 2) * 4; }), 2u);
  EXPECT_EQ(wavefronts(4, [](uint64_t lane) { return (lane % 4 + lane / 8 * 4) * 4; }), 4u);
  EXPECT_EQ(wavefronts(4, [](uint64_t lane) { return lane % 16 * 4; }), 4u);
  EXPECT_EQ(wavefronts(2, [](uint64_t lane) { return lane / 2 * 2; }), 1u);
  EXPECT_EQ(wavefronts(2, [](uint64_t lane) { return lane % 16 * 2; }), 2u);
  EXPECT_EQ(wavefronts(1, [](uint64_t lane) { return lane / 4; }), 1u);
}

TEST(MergedWavefronts, StayApartWhereTheyWouldConflict) {
  const auto halves = [](uint64_t lane) { return lane / 16 * 32 + lane % 16 / 2 * 2; };
  EXPECT_EQ(wavefronts(2, halves), 2u);
  EXPECT_EQ(wavefronts(2, halves, false), 1u) << "strides to come";
}

DigitForm triangle(uint32_t extent) {
  return buildDigitForm(bucket("xyzk", {extent, extent, extent, 64}, {"xyk", "yzk", "xzk"}, "xyz"),
                        OpId(0));
}

/// The digit values that thread `thread` starts from.
std::vector<uint64_t> valuesOf(const DigitForm &form, const std::vector<Axis> &axes,
                               uint64_t thread) {
  std::vector<uint64_t> values(form.digits.size(), 0);
  for (size_t a = axes.size(); a-- > 0;)
    if (axes[a].role == AxisRole::Thread) {
      values[axes[a].digit.index()] += thread % axes[a].extent * axes[a].step;
      thread /= axes[a].extent;
    }
  return values;
}

std::vector<Axis> tileOf(const DigitForm &form, std::vector<uint64_t> outputs,
                         std::vector<uint64_t> threads) {
  AxisDivider splitter(form);
  for (size_t d = outputs.size(); d-- > 0;)
    splitter.take(DigitId(d), AxisRole::Register, outputs[d]);
  for (size_t d = threads.size(); d-- > 0;)
    splitter.take(DigitId(d), AxisRole::Thread, threads[d]);
  return splitter.axes();
}

TEST(InterleavedLanes, TheSameThreadsWithNeighboursThatAgree) {
  const DigitForm form = triangle(256);
  const std::vector<Axis> axes = tileOf(form, {8, 4, 4}, {4, 8, 8});
  const auto interleaved = interleavedLanes(form, axes, 32);
  ASSERT_TRUE(interleaved.has_value());
  std::set<std::vector<uint64_t>> before, after;
  std::set<std::string> names;
  for (uint64_t thread = 0; thread < 256; ++thread) {
    before.insert(valuesOf(form, axes, thread));
    after.insert(valuesOf(form, *interleaved, thread));
  }
  EXPECT_EQ(before.size(), 256u);
  EXPECT_EQ(before, after);
  for (const Axis &axis : *interleaved)
    EXPECT_TRUE(names.insert(axis.name).second) << axis.name;
  // f has 32 entries and lacks z, h has 32 and lacks y, g has 16 and lacks x.
  EXPECT_EQ(valuesOf(form, *interleaved, 1), (std::vector<uint64_t>{0, 0, 4, 0}));
  EXPECT_EQ(valuesOf(form, *interleaved, 2), (std::vector<uint64_t>{0, 4, 0, 0}));
  EXPECT_EQ(valuesOf(form, *interleaved, 4), (std::vector<uint64_t>{8, 0, 0, 0}));
}

TEST(InterleavedLanes, NoneWhereThereIsNothingToInterleave) {
  const DigitForm form = triangle(264);
  EXPECT_FALSE(interleavedLanes(form, tileOf(form, {2, 2, 2}, {1, 1, 32}), 32)) << "one digit";
  EXPECT_FALSE(interleavedLanes(form, tileOf(form, {2, 2, 2}, {1, 11, 4}), 32)) << "4 even lanes";
  EXPECT_FALSE(interleavedLanes(form, tileOf(form, {1, 2, 2}, {8, 8, 4}), 32))
      << "a tile over two digits";
}

/// 8 x 4 x 4 outputs of a thread need not hold the 80 entries that they are made of at once.
TEST(ThreeDigitTiles, AreFoundWhereEveryOperandMissesADigit) {
  const TableProgram program = bucket("kxyz", {64, 256, 256, 256}, {"kxy", "kyz", "kxz"}, "xyz");
  KernelOptions options;
  options.target = targetNamed("sm_90");
  options.type = ElementType::F32;
  const auto plan = std::get<NestPlan>(buildKernel(program, OpId(0), options));
  EXPECT_GT(plan.stages, 1u);
  std::set<size_t> digits;
  for (const Axis &axis : plan.axes)
    if (axis.role == AxisRole::Register)
      digits.insert(axis.digit.index());
  EXPECT_EQ(digits.size(), 3u);
  EXPECT_EQ(roleExtent(plan, AxisRole::Register), 128u);
  EXPECT_GT(estimateRegisters(plan) + kRegisterReserve, options.target.maxRegistersPerThread);
  EXPECT_EQ(plan.launch.estimatedRegisters, leanRegisters(plan));
}

TEST(ThreeDigitTiles, AreNotHeldToFewRegistersWhereMoreAreNeeded) {
  const auto lean = [](uint32_t extent, uint32_t stages) {
    KernelOptions options;
    options.target = targetNamed("sm_90");
    options.type = ElementType::F32;
    options.family = "tile";
    options.stages = stages;
    return leanRegisters(std::get<NestPlan>(
        buildKernel(bucket("kxyz", {64, extent, extent, extent}, {"kxy", "kyz", "kxz"}, "xyz"),
                    OpId(0), options)));
  };
  EXPECT_TRUE(lean(256, 2));
  EXPECT_FALSE(lean(256, 1)) << "no pages in flight";
  EXPECT_FALSE(lean(251, 2)) << "guards take registers";
}

} // namespace
