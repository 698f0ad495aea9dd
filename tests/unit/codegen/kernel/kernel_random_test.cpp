// Random buckets through every family, value form and semiring: the plan is sound, its text reads
// back, and executing it literally gives the result of the definition.
#include "codegen/kernel/form/build_digit_form.h"
#include "codegen/kernel/print_kernel.h"
#include "codegen/kernel/verify_kernel.h"
#include "dsl/support/error.h"
#include "tests/unit/codegen/kernel/bucket_builder.h"
#include "tests/unit/codegen/kernel/kernel_test_support.h"

#include <array>
#include <functional>
#include <gtest/gtest.h>

namespace mpf {
namespace {

KernelOptions randomOptions(std::mt19937 &random) {
  KernelOptions options;
  options.target = targetNamed("sm_90");
  options.type = random() % 2 == 0 ? ElementType::F32 : ElementType::F64;
  options.valueForm = random() % 4 == 0 ? ValueForm::Log : ValueForm::Linear;
  options.mergeDigits = random() % 8 != 0;
  return options;
}

class RandomBuckets : public ::testing::TestWithParam<const char *> {};

TEST_P(RandomBuckets, PlansAreSoundAndComputeTheDefinition) {
  std::mt19937 random(GetParam() == std::string("tile") ? 1 : 2);
  for (int i = 0; i < 250 && !HasFatalFailure(); ++i) {
    const TableProgram program = randomBucket(random, {});
    KernelOptions options = randomOptions(random);
    options.family = GetParam();
    SCOPED_TRACE(i);
    checkPlan(buildKernel(program, OpId(0), options), options.target, random);
  }
}

TEST(KernelRandom, PackedOperands) {
  std::mt19937 random(11);
  for (int i = 0; i < 200 && !HasFatalFailure(); ++i) {
    TableProgram program = randomBucket(random, {});
    for (const TableId operand : program.operations[0].operands)
      program.tables[operand.index()].packed = random() % 2 == 0;
    KernelOptions options = randomOptions(random);
    options.family = std::array{"stream", "tile"}[random() % 2];
    SCOPED_TRACE(i);
    const KernelPlan plan = buildKernel(program, OpId(0), options);
    checkPlan(plan, options.target, random);
  }
}

/// A hand-made plan must not have these.
TEST(KernelRandom, PackedOperandsWithoutAReader) {
  const Target target = targetNamed("sm_90");
  KernelOptions options;
  options.target = target;
  const auto plan =
      buildPlan<NestPlan>(bucket("xk", {64, 64}, {"!xk", "k"}, "x"), OpId(0), options);
  ASSERT_EQ(findFault(plan, target), "");
  const auto faultOf = [&](const std::function<void(NestPlan &)> &change) {
    NestPlan changed = plan;
    change(changed);
    return findFault(changed, target);
  };
  const auto names = [](const std::string &fault, const char *part) {
    return fault.find(part) != std::string::npos;
  };
  EXPECT_PRED2(names, faultOf([](NestPlan &p) { p.form.result.packed = true; }),
               "the result is packed");
  EXPECT_PRED2(names, faultOf([](NestPlan &p) { p.form.semiring.reduce = Reduce::Min; }),
               "whose zero is infinite");
  EXPECT_PRED2(names, faultOf([](NestPlan &p) {
                 p.type = ElementType::U64;
                 p.form.semiring = {Reduce::Max, Combine::Plus};
               }),
               "none of which is the semiring's zero");
  MatrixPlan matrix;
  static_cast<KernelHeader &>(matrix) = plan;
  matrix.form = plan.form;
  EXPECT_PRED2(names, findFault(matrix, target), "matrix product");
  options.family = "mma";
  EXPECT_THROW(buildKernel(bucket("xyk", {64, 64, 64}, {"!xk", "yk"}, "xy"), OpId(0), options),
               Error);
}

TEST(KernelRandom, PagesInFlight) {
  std::mt19937 random(7);
  const char *semirings[] = {"sum-product", "max-product", "max-sum"};
  size_t planned = 0;
  for (int i = 0; i < 300 && !HasFatalFailure(); ++i) {
    TableProgram program = randomBucket(random, {});
    KernelOptions options = randomOptions(random);
    program.operations[0].semiring = *semiringNamed(semirings[i % 3]);
    options.valueForm = ValueForm::Linear;
    options.family = "tile";
    options.stages = static_cast<uint32_t>(2 + random() % 3);
    SCOPED_TRACE(i);
    try {
      const auto plan = buildPlan<NestPlan>(program, OpId(0), options);
      EXPECT_EQ(plan.stages, *options.stages);
      checkPlan(plan, options.target, random);
      ++planned;
    } catch (const Error &error) {
      ASSERT_EQ(error.kind(), ErrorKind::Usage); // too few pages for so many in flight
    }
  }
  EXPECT_GE(planned, 50u);
}

INSTANTIATE_TEST_SUITE_P(Families, RandomBuckets, ::testing::Values("stream", "tile"));

TEST(KernelRandom, EverySemiringOnTheCpuTarget) {
  std::mt19937 random(3);
  const char *semirings[] = {"sum-product", "max-product", "min-product",
                             "max-sum",     "min-sum",     "logsum-sum"};
  for (int i = 0; i < 60 && !HasFatalFailure(); ++i) {
    TableProgram program = randomBucket(random, {});
    program.operations[0].semiring = *semiringNamed(semirings[i % 6]);
    KernelOptions options;
    options.target = targetNamed("cpu");
    SCOPED_TRACE(i);
    checkPlan(buildKernel(program, OpId(0), options), options.target, random);
  }
}

TEST(KernelRandom, ForcedTags) {
  std::mt19937 random(4);
  for (int i = 0; i < 200 && !HasFatalFailure(); ++i) {
    const TableProgram program = randomBucket(random, {5, 1u << 10, 4});
    KernelOptions options = randomOptions(random);
    options.mergeDigits = false;
    const DigitForm form = buildDigitForm(program, OpId(0), false);
    if (form.keptAddresses() > options.target.maxThreadsPerBlock)
      continue; // such a tag may be refused
    options.tagDigits = static_cast<uint32_t>(random() % (form.digits.size() + 1));
    if (random() % 2 == 0)
      options.pagesPerBlock = 1 + random() % 8;
    SCOPED_TRACE(i);
    checkPlan(buildKernel(program, OpId(0), options), options.target, random);
  }
}

TEST(KernelRandom, LargeBucketsAreSound) {
  std::mt19937 random(5);
  for (int i = 0; i < 60 && !HasFatalFailure(); ++i) {
    const TableProgram program = randomBucket(random, {24, uint64_t{1} << 36, 8});
    const KernelOptions options = randomOptions(random);
    const KernelPlan plan = buildKernel(program, OpId(0), options);
    SCOPED_TRACE(i);
    ASSERT_EQ(findFault(plan, options.target), "") << printKernel(plan);
  }
}

TEST(KernelRandom, SameInputSamePlan) {
  std::mt19937 random(6);
  for (int i = 0; i < 10; ++i) {
    const TableProgram program = randomBucket(random, {});
    const KernelOptions options = randomOptions(random);
    EXPECT_EQ(printKernel(buildKernel(program, OpId(0), options)),
              printKernel(buildKernel(program, OpId(0), options)));
  }
}

} // namespace
} // namespace mpf
