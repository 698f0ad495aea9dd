// Emitted kernels in the checker: right against the definition of their operation, and without a
// single fault. Plans come from the dice, from hand, and from the planner.
#include "codegen/kernel/verify_kernel.h"
#include "tests/simt/plan_checks.h"
#include "tests/unit/emit/hand_plans.h"
#include "tests/unit/emit/one_block.h"
#include "tests/unit/emit/planned_suite.h"
#include "tests/unit/emit/random_plan.h"

#include <gtest/gtest.h>

namespace mpf::simt {
namespace {

std::vector<KernelPlan> plansOf(const std::vector<test::SuiteKernel> &kernels) {
  std::vector<KernelPlan> plans;
  for (const test::SuiteKernel &kernel : kernels)
    plans.push_back(kernel.plan);
  return plans;
}

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

class PlannedKernels : public testing::TestWithParam<test::SuiteShape> {};

TEST_P(PlannedKernels, AreRightWithoutFaultsAndConflictFreeAsPromised) {
  const Target target = targetNamed("sm_90");
  const std::vector<KernelPlan> plans =
      plansOf(test::kernelsOf(GetParam(), {target, true, false, false}));
  ASSERT_GE(plans.size(), 4u);
  for (const KernelPlan &plan : plans)
    EXPECT_EQ(findFault(plan, target), "") << GetParam().name;
  checkPlans(plans);
}

INSTANTIATE_TEST_SUITE_P(Shapes, PlannedKernels, testing::ValuesIn(test::smallShapes()),
                         [](const auto &shape) { return shape.param.name; });

/// One block of the kernels that tools/mpf-bench measures: the tiles, paddings and vectors that
/// stand in its results, which small extents do not lead to.
class MeasuredKernels : public testing::TestWithParam<test::SuiteShape> {};

TEST_P(MeasuredKernels, TheirBlocksAreRightWithoutFaultsAndConflictFreeAsPromised) {
  const Target target = targetNamed("sm_90");
  std::vector<KernelPlan> plans;
  for (const test::SuiteKernel &kernel :
       test::kernelsOf(GetParam(), {target, false, false, false})) {
    plans.push_back(test::oneBlock(kernel.plan));
    EXPECT_EQ(findFault(plans.back(), target), "") << kernel.label;
  }
  checkPlans(plans);
}

INSTANTIATE_TEST_SUITE_P(Shapes, MeasuredKernels, testing::ValuesIn(test::fullShapes()),
                         [](const auto &shape) { return shape.param.name; });

/// The scheme of the ICS'08 paper: unpadded segments, one output per thread and page.
TEST(TagScheme, KernelsAreRightAndWithoutFaults) {
  checkPlans(plansOf(test::tagKernels(targetNamed("sm_90"))));
}

} // namespace
} // namespace mpf::simt
