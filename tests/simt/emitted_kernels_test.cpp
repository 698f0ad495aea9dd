// Emitted kernels in the checker: right against the definition of their operation, and without a
// single fault. Plans come from the dice, from hand, and from the planner.
#include "codegen/kernel/build_kernel.h"
#include "codegen/kernel/verify_kernel.h"
#include "dsl/support/error.h"
#include "tests/simt/plan_checks.h"
#include "tests/unit/bucket_builder.h"
#include "tests/unit/emit/hand_plans.h"
#include "tests/unit/emit/random_plan.h"

#include <algorithm>
#include <gtest/gtest.h>

namespace mpf::simt {
namespace {

class RandomPlans : public testing::TestWithParam<uint64_t> {};

TEST_P(RandomPlans, AreRightAndWithoutFaults) {
  std::vector<KernelPlan> plans;
  for (uint64_t seed = 0; seed < 20; ++seed)
    plans.push_back(test::randomPlan(GetParam() * 1000 + seed));
  checkPlans(plans);
}

INSTANTIATE_TEST_SUITE_P(Seeds, RandomPlans, testing::Range<uint64_t>(0, 8));

TEST(HandPlans, AreRightAndWithoutFaults) {
  std::vector<KernelPlan> plans = {test::pairTile(256, 128, 32),
                                   test::pairTile(128, 128, 16, ValueForm::Log),
                                   test::oneStepStream(2048, 2, ElementType::F32),
                                   test::oneStepStream(1000, 3, ElementType::F64)};
  for (size_t i = 0; i < plans.size(); ++i)
    plans[i].name += std::to_string(i);
  checkPlans(plans);
}

/// The planner's choice for canonical, permuted and odd shapes, each family and arithmetic.
struct Shape {
  const char *name;
  const char *order;
  std::vector<uint32_t> extents;
  std::vector<std::string> operands;
  const char *kept;
};

const std::vector<Shape> kShapes = {
    {"pair", "xyk", {64, 64, 32}, {"xk", "yk"}, "xy"},
    {"pair_odd", "xyk", {37, 29, 23}, {"xk", "yk"}, "xy"},
    {"pair_permuted", "kxy", {32, 64, 64}, {"kx", "ky"}, "xy"},
    {"pair_batched", "bxyk", {4, 32, 32, 16}, {"bxk", "byk"}, "bxy"},
    {"triangle", "xyzk", {16, 16, 16, 16}, {"xyk", "yzk", "xzk"}, "xyz"},
    {"triangle_odd", "xyzk", {13, 11, 7, 9}, {"xyk", "yzk", "xzk"}, "xyz"},
    {"star", "wxyzk", {8, 8, 8, 8, 8}, {"wk", "xk", "yk", "zk"}, "wxyz"},
    {"stream_last", "xk", {4096, 2}, {"xk"}, "x"},
    {"stream_middle", "xky", {64, 3, 50}, {"xky"}, "xy"},
    {"small_factor", "xyk", {128, 16, 4}, {"xyk", "yk"}, "xy"},
    {"to_scalar", "k", {200}, {"k"}, ""},
    {"outer_product", "xy", {33, 20}, {"x", "y"}, "xy"},
    {"eight", "xyk", {6, 5, 4}, {"x", "y", "k", "xy", "xk", "yk", "xyk", "k"}, "xy"},
};

std::vector<KernelPlan> plansOf(const Shape &shape) {
  std::vector<KernelPlan> plans;
  for (Family family : {Family::Stream, Family::Tile})
    for (ElementType type : {ElementType::F32, ElementType::F64})
      for (ValueForm form : {ValueForm::Linear, ValueForm::Log}) {
        KernelOptions options;
        options.target = targetNamed("sm_90");
        options.type = type;
        options.valueForm = form;
        options.family = family;
        try {
          plans.push_back(buildKernel(
              bucket(shape.order, shape.extents, shape.operands, shape.kept), OpId(0), options));
        } catch (const Error &error) {
          // A family that cannot serve a shape says so.
          EXPECT_EQ(error.kind(), ErrorKind::Usage) << error.what();
          continue;
        }
        EXPECT_EQ(findFault(plans.back(), options.target), "") << shape.name;
      }
  std::sort(plans.begin(), plans.end(),
            [](const KernelPlan &a, const KernelPlan &b) { return a.name < b.name; });
  plans.erase(std::unique(plans.begin(), plans.end(),
                          [](const auto &a, const auto &b) { return a.name == b.name; }),
              plans.end());
  return plans;
}

class PlannedKernels : public testing::TestWithParam<Shape> {};

TEST_P(PlannedKernels, AreRightWithoutFaultsAndConflictFreeAsPromised) {
  const std::vector<KernelPlan> plans = plansOf(GetParam());
  ASSERT_GE(plans.size(), 4u);
  checkPlans(plans);
}

INSTANTIATE_TEST_SUITE_P(Shapes, PlannedKernels, testing::ValuesIn(kShapes),
                         [](const auto &shape) { return std::string(shape.param.name); });

/// The scheme of the ICS'08 paper: unpadded segments, one output per thread and page.
TEST(TagScheme, KernelsAreRightAndWithoutFaults) {
  std::vector<KernelPlan> plans;
  for (uint32_t digits : {1, 2}) {
    KernelOptions options;
    options.target = targetNamed("sm_90");
    options.tagDigits = digits;
    for (uint64_t pages : {1, 3}) {
      options.pagesPerBlock = pages;
      plans.push_back(
          buildKernel(bucket("xyk", {12, 10, 6}, {"xk", "yk"}, "xy"), OpId(0), options));
      plans.push_back(buildKernel(bucket("xyzk", {4, 5, 6, 3}, {"xyk", "yzk", "xzk"}, "xyz"),
                                  OpId(0), options));
    }
  }
  for (size_t i = 0; i < plans.size(); ++i)
    plans[i].name = fmt::format("tag{}", i);
  checkPlans(plans);
}

} // namespace
} // namespace mpf::simt
