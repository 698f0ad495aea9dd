// Emitted kernels in the checker: their results equal the definition of their operation, without a
// single fault. Plans are random, made by hand, and from the planner.
#include "codegen/kernel/form/build_digit_form.h"
#include "codegen/kernel/form/split_k_form.h"
#include "codegen/kernel/verify_kernel.h"
#include "tests/simt/plan_checks.h"
#include "tests/unit/codegen/emit/one_block.h"
#include "tests/unit/codegen/kernel/bucket_builder.h"
#include "tests/unit/codegen/kernel/hand_plans.h"
#include "tests/unit/codegen/kernel/planned_suite.h"
#include "tests/unit/codegen/kernel/random_plan.h"

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
    plans[i].header().name += std::to_string(i);
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

/// Tests split sums (codegen/kernel/form/split_k_form.h): the kernels of both steps, in every type
/// and form.
TEST(SumsInParts, AreRightAndWithoutFaults) {
  const Target target = targetNamed("sm_90");
  std::vector<KernelPlan> plans;
  for (const ElementType type :
       {ElementType::F32, ElementType::F64, ElementType::U64, ElementType::U128})
    for (const ValueForm form : {ValueForm::Linear, ValueForm::Log})
      for (const Reduce reduce : {Reduce::Sum, Reduce::Max}) {
        if (isIntegerType(type) && form == ValueForm::Log)
          continue;
        KernelOptions options;
        options.target = target;
        options.type = type;
        options.valueForm = form;
        for (const uint32_t terms : {96u, 60u}) { // 60: tiles need bounds checks
          const TableProgram program =
              bucket("xyk", {24, 20, terms}, {"xk", "yk"}, "xy", {reduce, Combine::Times});
          const DigitForm whole = buildDigitForm(program, OpId(0));
          plans.push_back(buildKernel(partialForm(whole, terms / 12), options));
          plans.push_back(buildKernel(addingForm(whole, terms / 12), options));
        }
      }
  for (const KernelPlan &plan : plans)
    EXPECT_EQ(findFault(plan, target), "");
  checkPlans(plans);
}

/// Tests pages in flight: asynchronous copies land when they are waited for, and no buffer is
/// overwritten while it is read.
class PipelinedKernels : public testing::TestWithParam<uint32_t> {};

TEST_P(PipelinedKernels, AreRightWithoutFaultsAndConflictFreeAsPromised) {
  const Target target = targetNamed("sm_90");
  test::SuiteOptions options{target, false, true, false};
  options.stages = GetParam();
  std::vector<KernelPlan> plans;
  for (const test::SuiteShape &shape : test::smallShapes())
    for (const test::SuiteKernel &kernel : test::kernelsOf(shape, options))
      if (kernel.plan.family() == "tile")
        plans.push_back(kernel.plan);
  ASSERT_GE(plans.size(), 12u);
  for (const KernelPlan &plan : plans) {
    EXPECT_EQ(std::get<NestPlan>(plan).stages, GetParam());
    EXPECT_EQ(findFault(plan, target), "");
  }
  checkPlans(plans);
}

INSTANTIATE_TEST_SUITE_P(Stages, PipelinedKernels, testing::Values(2u, 3u, 4u));

/// Tests one block of the kernels that tools/mpf-bench measures. They have the tiles, paddings and
/// vectors of its results, which small extents do not produce.
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

/// The types u64 and u128: a kernel runs only if nothing overflows, so that every entry is exact.
const std::vector<ElementType> kIntegerTypes = {ElementType::U64, ElementType::U128};

TEST(Integers, RandomPlansAreExactAndWithoutFaults) {
  std::vector<KernelPlan> plans;
  for (uint64_t seed = 100; seed < 130; ++seed)
    plans.push_back(test::randomPlan(seed, 6000, kIntegerTypes[seed % 2]));
  checkPlans(plans);
}

TEST(Integers, PlannedKernelsAreExactWithoutFaultsAndConflictFreeAsPromised) {
  const Target target = targetNamed("sm_90");
  std::vector<KernelPlan> plans;
  for (const test::SuiteShape &shape : test::smallShapes())
    for (const KernelPlan &plan :
         plansOf(test::kernelsOf(shape, {target, true, true, false, kIntegerTypes}))) {
      EXPECT_EQ(findFault(plan, target), "") << shape.name;
      plans.push_back(plan);
    }
  checkPlans(plans);
}

TEST(Integers, KernelsLeaveWhatMayOverflowToTheCheckedOnes) {
  // sum_k f(x, k) g(y, k) over 32 terms takes 5 bits more than the products.
  const auto kernels = test::kernelsOf(
      test::smallShapes().front(), {targetNamed("sm_90"), false, false, false, {ElementType::U64}});
  ASSERT_EQ(kernels.size(), 1u);
  const KernelPlan &plan = kernels.front().plan;
  KernelSuite suite(testKernels({plan}));
  const auto run = [&](double greatest) {
    std::vector<KernelTable> tables;
    const DigitForm operation = plan.operation();
    for (const DigitAccess &operand : operation.operands) {
      std::vector<double> values(operand.sizeElems, 1);
      values.front() = greatest;
      tables.push_back(KernelTable::linear(values, plan.header().type));
    }
    return suite.run(0, tables, 1).result;
  };
  const KernelTable fits = run(0x1p28); // 29 + 29 + 5 bits
  EXPECT_EQ(fits.entries.front(), 0x1p56 + 31);
  EXPECT_EQ(fits.state.maxExponent, 56);
  EXPECT_TRUE(run(0x1p29).state.allZero()) << "30 + 30 + 5 bits: nothing is written";
}

/// The scheme of the ICS'08 paper: unpadded segments, one output per thread and page.
TEST(TagScheme, KernelsAreRightAndWithoutFaults) {
  checkPlans(plansOf(test::tagKernels(targetNamed("sm_90"))));
}

} // namespace
} // namespace mpf::simt
