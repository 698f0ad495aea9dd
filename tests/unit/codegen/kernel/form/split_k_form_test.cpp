// Tests split sums in digit form: the two operations together are the whole one, kernels of both
// are sound. The model cuts where the results alone would leave a device idle.
#include "codegen/kernel/build/choose_split_k.h"
#include "codegen/kernel/form/build_digit_form.h"
#include "codegen/kernel/form/split_k_form.h"
#include "codegen/plan/program/split_k.h"
#include "dsl/support/merge_digits.h"
#include "tests/oracle/brute/brute_force_digits.h"
#include "tests/unit/codegen/kernel/bucket_builder.h"
#include "tests/unit/codegen/kernel/kernel_test_support.h"

#include <cmath>
#include <gtest/gtest.h>

namespace mpf {
namespace {

TEST(SplitKForm, BothStepsTogetherAreTheWholeSum) {
  std::mt19937 random(29);
  const char *semirings[] = {"sum-product", "max-product", "min-product", "max-sum"};
  size_t cut = 0;
  for (int i = 0; i < 400 && !HasFatalFailure(); ++i) {
    TableProgram program = randomBucket(random, {});
    program.operations[0].semiring = *semiringNamed(semirings[i % 4]);
    const DigitForm whole = buildDigitForm(program, OpId(0), i % 3 == 0);
    const auto choices = splitChoices(reducedExtents(whole), 64);
    if (choices.empty())
      continue;
    const uint64_t splits = choices[random() % choices.size()];
    DigitForm partial = partialForm(whole, splits), adding = addingForm(whole, splits);
    if (i % 2 == 0) {
      mergeDigits(partial);
      mergeDigits(adding);
    }
    ASSERT_EQ(findFault(partial), "");
    ASSERT_EQ(findFault(adding), "");
    ASSERT_EQ(partial.reducedAddresses() * splits, whole.reducedAddresses());
    const auto tables = randomTables(random, whole, ValueForm::Linear);
    const auto sums =
        bruteForce(adding, ValueForm::Linear, {bruteForce(partial, ValueForm::Linear, tables)});
    const auto expected = bruteForce(whole, ValueForm::Linear, tables);
    ASSERT_EQ(sums.size(), expected.size());
    for (size_t e = 0; e < sums.size(); ++e)
      ASSERT_NEAR(sums[e], expected[e], 1e-12 * (1 + std::abs(expected[e]))) << i;
    if (++cut % 8 != 0)
      continue; // interpreting takes long
    KernelOptions options;
    options.target = targetNamed("sm_90");
    options.type = cut % 16 == 0 ? ElementType::F32 : ElementType::F64;
    checkPlan(buildKernel(partial, options), options.target, random);
    checkPlan(buildKernel(adding, options), options.target, random);
  }
  EXPECT_GE(cut, 100u);
}

/// A program whose sum is in splits has the same forms.
TEST(SplitKForm, ProgramsHaveTheSameForms) {
  TableProgram program = bucket("xyk", {3, 2, 12}, {"xk", "yk"}, "xy");
  const DigitForm whole = buildDigitForm(program, OpId(0));
  program.tables[2].splits = 4;
  program.tables[2].sizeElems *= 4;
  const DigitForm partial = buildDigitForm(program, OpId(0));
  EXPECT_EQ(partial.digits.size(), 4u);
  EXPECT_EQ(partial.result.stridesElems, (std::vector<uint64_t>{6, 2, 1, 0}));
  EXPECT_EQ(partial.operands[0].stridesElems, (std::vector<uint64_t>{3, 12, 0, 1}));
  EXPECT_EQ(partial.operands[1].stridesElems, (std::vector<uint64_t>{3, 0, 12, 1}));
  Operation adding;
  adding.operands = {program.operations[0].result};
  adding.result = TableId(3);
  program.tables.push_back({"m1", program.tables[2].scope, 6, {}, {}});
  program.tables.back().producer = OpId(1);
  program.operations.push_back(adding);
  const DigitForm sum = buildDigitForm(program, OpId(1));
  EXPECT_EQ(sum.digits.size(), 2u);
  EXPECT_EQ(sum.operands[0].stridesElems, (std::vector<uint64_t>{1, 6}));
  EXPECT_EQ(sum.operands[0].table, TableId(2));
  EXPECT_EQ(sum.operands[0].sizeElems, 24u);
  EXPECT_EQ(sum.result.stridesElems, (std::vector<uint64_t>{1, 0}));
  EXPECT_EQ(whole.result.sizeElems, sum.result.sizeElems);
}

SplitChoice choiceFor(const std::vector<uint32_t> &extents, ElementType type) {
  const DigitForm whole = buildDigitForm(bucket("xyk", extents, {"xk", "yk"}, "xy"), OpId(0));
  KernelOptions options;
  options.target = targetNamed("sm_90");
  options.type = type;
  return chooseSplits(whole, options, [&](const DigitForm &form) {
    return buildKernel(form, options).header().predictedUs;
  });
}

TEST(SplitKForm, LongSumsWithFewResultsAreCut) {
  for (const ElementType type : {ElementType::F32, ElementType::F64}) {
    KernelOptions options;
    options.target = targetNamed("sm_90");
    options.type = type;
    const DigitForm whole =
        buildDigitForm(bucket("xyk", {256, 256, 65536}, {"xk", "yk"}, "xy"), OpId(0));
    const SplitChoice choice = choiceFor({256, 256, 65536}, type);
    EXPECT_GE(choice.splits, 8u);
    EXPECT_LE(choice.splits, maxSplits(whole));
    EXPECT_LT(choice.timeUs, buildKernel(whole, options).header().predictedUs / 3);
  }
}

TEST(SplitKForm, OthersStayWhole) {
  EXPECT_EQ(choiceFor({4096, 4096, 64}, ElementType::F32).splits, 1u);  // short sums
  EXPECT_EQ(choiceFor({4096, 4096, 512}, ElementType::F32).splits, 1u); // results enough
  EXPECT_EQ(choiceFor({16, 16, 128}, ElementType::F32).splits, 1u);     // too little work
  EXPECT_EQ(choiceFor({256, 256, 65537}, ElementType::F32).splits, 1u); // a prime number of terms
}

} // namespace
} // namespace mpf
