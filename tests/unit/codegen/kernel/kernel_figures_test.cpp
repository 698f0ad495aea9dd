// The papers' worked examples: with their tag forced, the plan shows their tables.
#include "codegen/kernel/build_kernel.h"
#include "codegen/kernel/plan/kernel_shape.h"
#include "codegen/kernel/plan/page_sequence.h"
#include "dsl/support/error.h"
#include "tests/unit/codegen/kernel/bucket_builder.h"
#include "tests/unit/codegen/kernel/kernel_test_support.h"

#include <gtest/gtest.h>

namespace mpf {
namespace {

KernelOptions paperOptions(uint32_t tagDigits) {
  KernelOptions options;
  options.target = targetNamed("sm_90");
  options.type = ElementType::F32;
  options.mergeDigits = false;
  options.tagDigits = tagDigits;
  return options;
}

std::vector<uint64_t> sizes(const NestPlan &plan) {
  std::vector<uint64_t> list;
  for (const Segment &segment : plan.segments)
    list.push_back(segment.sizeElems);
  return list;
}

TEST(KernelFigures, Ics08Figure2SegmentsAndValidity) {
  // k(x,z) = sum_{w,y} f(x,z,y) g(x,w) h(w,y), order x > z > w > y, tag of three digits {z,w,y}.
  const TableProgram program = bucket("xzwy", {2, 3, 2, 2}, {"xzy", "xw", "wy"}, "xz");
  const auto plan = buildPlan<NestPlan>(program, OpId(0), paperOptions(3));
  EXPECT_EQ(sizes(plan), (std::vector<uint64_t>{6, 2, 4})); // 12 values in all, section 5.1.2
  EXPECT_EQ(plan.launch.blockThreads, 3u);                  // one output per thread and page
  EXPECT_EQ(plan.launch.gridBlocks, 1u);
  const auto pages = pageSequence(plan, 100);
  ASSERT_EQ(pages.size(), 2u);
  EXPECT_EQ(pages[0].invalid, (std::vector<bool>{true, true, true}));
  // Section 5.1.3: from x=0 to x=1 f and g are refreshed, h is not.
  EXPECT_EQ(pages[1].invalid, (std::vector<bool>{true, true, false}));
  EXPECT_EQ(pages[1].offsetsElems, (std::vector<uint64_t>{6, 2, 0}));
  EXPECT_EQ(plan.segments[2].lifetimePages, 2u);
  std::mt19937 random(1);
  checkPlan(plan, targetNamed("sm_90"), random);
}

TEST(KernelFigures, GemsFigure2PolicyTables) {
  // k(x,y,w) = sum_z f(x,y,z) g(w,z): two threads per block, two pages per block.
  const TableProgram program = bucket("xywz", {2, 2, 2, 2}, {"xyz", "wz"}, "xyw");
  KernelOptions options = paperOptions(2);
  options.pagesPerBlock = 2;
  const auto plan = buildPlan<NestPlan>(program, OpId(0), options);
  EXPECT_EQ(plan.launch.blockThreads, 2u);
  EXPECT_EQ(plan.launch.gridBlocks, 2u);
  EXPECT_EQ(sizes(plan), (std::vector<uint64_t>{2, 4})); // SegmentSizes
  const auto pages = pageSequence(plan, 100);
  ASSERT_EQ(pages.size(), 2u);
  EXPECT_EQ(pages[0].invalid, (std::vector<bool>{true, true})); // PageInvalid
  EXPECT_EQ(pages[1].invalid, (std::vector<bool>{true, false}));
  EXPECT_EQ(pages[1].offsetsElems, (std::vector<uint64_t>{2, 0})); // PageOffsets
  std::mt19937 random(1);
  checkPlan(plan, targetNamed("sm_90"), random);
}

TEST(KernelFigures, CapacityRuleKeepsTheLongLivedSegment) {
  // f's segment has 1024 x 64 entries of 4 bytes, above shared memory; g's fits and lives longer.
  const TableProgram program = bucket("xyk", {8, 1024, 64}, {"xyk", "k"}, "xy");
  const auto plan = buildPlan<NestPlan>(program, OpId(0), paperOptions(2));
  EXPECT_EQ(plan.segments[0].placement, Placement::Bypass);
  EXPECT_EQ(plan.segments[1].placement, Placement::Shared);
  EXPECT_EQ(plan.segments[1].lifetimePages, 8u);
}

TEST(KernelFigures, PagesOfSmallFunctionsAreInnermost) {
  // Only the small g depends on d: with d outside, h's segment would be fetched 27 times as often.
  const TableProgram program =
      bucket("abcdef", {16, 256, 64, 27, 8, 100}, {"cf", "acdf", "abcef"}, "abc");
  KernelOptions options;
  options.target = targetNamed("sm_90");
  const auto plan = buildPlan<NestPlan>(program, OpId(0), options);
  const AxisRange pages = axesOfRole(plan, AxisRole::Page);
  for (uint32_t a = pages.begin; a + 1 < pages.end; ++a)
    EXPECT_NE(plan.axes[a].digit, DigitId(3)) << "page axis " << a << " of " << pages.end;
}

TEST(KernelFigures, TagWithTooManyOutputsIsRefused) {
  const TableProgram program = bucket("xyk", {8, 2048, 4}, {"xyk", "k"}, "xy");
  EXPECT_THROW(buildKernel(program, OpId(0), paperOptions(2)), Error);
}

TEST(KernelFigures, PromisedPairAndTriangle) {
  // The buckets of the H200 goals: register tiles, every segment conflict-free, vector fragments.
  const auto promised = [](const TableProgram &program, ElementType type) {
    KernelOptions options;
    options.target = targetNamed("sm_90");
    options.type = type;
    options.family = "tile"; // f64 pairs are matrix products by themselves
    const auto plan = buildPlan<NestPlan>(program, OpId(0), options);
    EXPECT_GE(roleExtent(plan, AxisRole::Register), 8u);
    for (const Segment &segment : plan.segments) {
      EXPECT_EQ(segment.placement, Placement::Shared);
      EXPECT_TRUE(segment.conflictFree);
      EXPECT_GT(segment.fragmentVector, 1u);
    }
  };
  for (ElementType type : {ElementType::F32, ElementType::F64}) {
    promised(bucket("xyk", {4096, 4096, 64}, {"xk", "yk"}, "xy"), type);
    promised(bucket("xyzk", {256, 256, 256, 64}, {"xyk", "yzk", "xzk"}, "xyz"), type);
  }
}

} // namespace
} // namespace mpf
