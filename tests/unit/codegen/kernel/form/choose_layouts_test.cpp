// Layouts that the compiler picks: rows along the fastest digit, sums above it, nothing lost.
#include "codegen/kernel/build_kernel.h"
#include "codegen/kernel/form/build_digit_form.h"
#include "codegen/kernel/form/choose_layouts.h"
#include "codegen/kernel/plan/kernel_shape.h"
#include "tests/unit/codegen/kernel/bucket_builder.h"
#include "tests/unit/codegen/kernel/kernel_test_support.h"
#include "tests/unit/codegen/kernel/random_bucket.h"

#include <gtest/gtest.h>

namespace mpf {
namespace {

DigitForm formOf(const TableProgram &program) { return buildDigitForm(program, OpId(0)); }

TEST(ChooseLayouts, RowsRunAlongTheLongestDigitAndSumsStandAboveIt) {
  // o(x,y,z) = sum_k f(x,k) g(y,z,k): x is long, y and z one digit.
  const DigitForm form =
      chooseLayouts(formOf(bucket("xyzk", {512, 3, 5, 7}, {"xk", "yzk"}, "xyz")));
  ASSERT_EQ(form.digits.size(), 3u); // x, yz, k
  EXPECT_EQ(layoutOrder(form).front(), DigitId(0));
  EXPECT_EQ(form.result.stridesElems, (std::vector<uint64_t>{1, 512, 0}));
  EXPECT_EQ(form.operands[0].stridesElems, (std::vector<uint64_t>{1, 0, 512}));
  EXPECT_EQ(form.operands[1].stridesElems, (std::vector<uint64_t>{0, 1, 15}));
}

TEST(ChooseLayouts, ADominantOperandHasTheFastestDigit) {
  // g is streamed: the long digit that it lacks does not come first.
  const DigitForm form = chooseLayouts(formOf(bucket("xyk", {128, 64, 16}, {"xk", "yk"}, "xy")));
  EXPECT_EQ(layoutOrder(form).front(), DigitId(0));
  const DigitForm streamed =
      chooseLayouts(formOf(bucket("xyzk", {24, 64, 64, 16}, {"xk", "yzk"}, "xyz")));
  EXPECT_NE(layoutOrder(streamed).front(), DigitId(0));
}

TEST(ChooseLayouts, MultiplesOfTheVectorWidthAreWorthShorterRows) {
  const DigitForm form = chooseLayouts(formOf(bucket("xyk", {105, 48, 4}, {"xk", "yk"}, "xy")));
  EXPECT_EQ(layoutOrder(form).front(), DigitId(1));
}

TEST(ChooseLayouts, FurtherOrdersHaveTheNextDigitsInFront) {
  const DigitForm form = formOf(bucket("xyzk", {64, 48, 21, 4}, {"xk", "yk", "zk"}, "xyz"));
  const std::vector<DigitId> first = layoutOrder(form);
  const auto orders = layoutOrders(form, 8);
  ASSERT_EQ(orders.size(), 3u) << "a digit each";
  EXPECT_EQ(orders[0], first);
  EXPECT_EQ(orders[1], (std::vector<DigitId>{first[1], first[0], first[2]}));
  EXPECT_EQ(orders[2], (std::vector<DigitId>{first[2], first[0], first[1]}));
  EXPECT_EQ(layoutOrders(form, 1).size(), 1u);
  EXPECT_EQ(layoutOrders(formOf(bucket("k", {9}, {"k"}, "")), 3).size(), 1u);
}

TEST(ChooseLayouts, KernelsOfTheLayoutsKeepEveryInvariant) {
  const Target target = targetNamed("sm_90");
  std::mt19937 random(7);
  for (unsigned i = 0; i < 40; ++i) {
    const DigitForm before = formOf(randomBucket(random, {}));
    const DigitForm form = chooseLayouts(before);
    ASSERT_EQ(findFault(form), "");
    for (size_t t = 0; t < form.operands.size(); ++t)
      EXPECT_EQ(form.operands[t].sizeElems, before.operands[t].sizeElems);
    KernelOptions options;
    options.target = target;
    options.type = i % 2 == 0 ? ElementType::F32 : ElementType::F64;
    checkPlan(buildKernel(form, options), target, random);
  }
}

} // namespace
} // namespace mpf
