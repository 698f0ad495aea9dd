#include "codegen/kernel/form/build_digit_form.h"
#include "codegen/kernel/form/digit_form.h"
#include "codegen/plan/program/storage_order.h"
#include "tests/unit/codegen/kernel/bucket_builder.h"

#include <gtest/gtest.h>

namespace mpf {
namespace {

TEST(DigitForm, MergesVariablesThatAreAdjacentInEveryTable) {
  // a and b are in f and the result and in nothing else; c is in both operands.
  const TableProgram program = bucket("abck", {2, 3, 4, 5}, {"abck", "ck"}, "abc");
  const DigitForm form = buildDigitForm(program, OpId(0));
  ASSERT_EQ(form.digits.size(), 3u);
  EXPECT_EQ(form.digits[0].extent, 6u);
  EXPECT_EQ(form.digits[0].variables, (std::vector<VarId>{VarId(0), VarId(1)}));
  EXPECT_EQ(form.keptCount(), 2u);
  EXPECT_EQ(form.operands[0].stridesElems, (std::vector<uint64_t>{20, 5, 1}));
  EXPECT_EQ(form.operands[1].stridesElems, (std::vector<uint64_t>{0, 5, 1}));
  EXPECT_EQ(form.result.stridesElems, (std::vector<uint64_t>{4, 1, 0}));
}

TEST(DigitForm, KeepsVariablesApartThatAreApartInOneTable) {
  // x > z > w > y of ICS'08 figure 1: nothing merges.
  const TableProgram program = bucket("xzwy", {2, 3, 2, 2}, {"xzy", "xw", "wy"}, "xz");
  EXPECT_EQ(buildDigitForm(program, OpId(0)).digits.size(), 4u);
  EXPECT_EQ(buildDigitForm(program, OpId(0), false).digits.size(), 4u);
}

TEST(DigitForm, MergesReducedVariablesApartInTheBucketAddress) {
  // The variables r and t are neighbours in f; s (of g only) is between them in the bucket address.
  const TableProgram program = bucket("xrst", {2, 3, 4, 5}, {"xrt", "xs"}, "x");
  const DigitForm form = buildDigitForm(program, OpId(0));
  ASSERT_EQ(form.digits.size(), 3u);
  EXPECT_EQ(form.digits[1].extent, 15u);
  EXPECT_EQ(form.digits[2].extent, 4u);
}

TEST(DigitForm, FollowsHowTablesAreStored) {
  // f and the result are stored with y above x, g with k above y.
  TableProgram program = bucket("xyk", {2, 3, 5}, {"xyk", "yk"}, "xy");
  ASSERT_TRUE(setStorageOrder(program.tables[0], std::vector{VarId(1), VarId(0), VarId(2)}));
  ASSERT_TRUE(setStorageOrder(program.tables[1], std::vector{VarId(2), VarId(1)}));
  ASSERT_TRUE(setStorageOrder(program.tables[2], std::vector{VarId(1), VarId(0)}));
  const DigitForm form = buildDigitForm(program, OpId(0));
  ASSERT_EQ(form.digits.size(), 3u);
  EXPECT_EQ(form.digits[0].variables, std::vector{VarId(1)});
  EXPECT_EQ(form.operands[0].stridesElems, (std::vector<uint64_t>{10, 5, 1}));
  EXPECT_EQ(form.operands[1].stridesElems, (std::vector<uint64_t>{1, 0, 3}));
  EXPECT_EQ(form.result.stridesElems, (std::vector<uint64_t>{2, 1, 0}));
}

TEST(DigitForm, MergesReducedVariablesInEitherOrder) {
  // All of f is summed up, stored with l above k.
  TableProgram program = bucket("kl", {3, 5}, {"kl"}, "");
  ASSERT_TRUE(setStorageOrder(program.tables[0], std::vector{VarId(1), VarId(0)}));
  const DigitForm form = buildDigitForm(program, OpId(0));
  ASSERT_EQ(form.digits.size(), 1u);
  EXPECT_EQ(form.digits[0].variables, (std::vector{VarId(1), VarId(0)}));
  EXPECT_EQ(form.operands[0].stridesElems, std::vector<uint64_t>{1});
}

TEST(DigitForm, DropsExtentOne) {
  const TableProgram program = bucket("axbk", {3, 1, 2, 2}, {"axbk"}, "axb");
  const DigitForm form = buildDigitForm(program, OpId(0));
  ASSERT_EQ(form.digits.size(), 2u);
  EXPECT_EQ(form.digits[0].extent, 6u);
}

TEST(DigitForm, SixtyVariablesOfAlternatingExtentOneAndTwo) {
  std::string names, kept;
  std::vector<uint32_t> extents;
  for (int i = 0; i < 60; ++i) {
    names += static_cast<char>('0' + i);
    extents.push_back(i % 3 == 0 ? 2 : 1);
  }
  kept = names.substr(0, 59);
  const DigitForm form = buildDigitForm(bucket(names, extents, {names}, kept), OpId(0));
  ASSERT_EQ(form.digits.size(), 1u); // the last variable has extent 1: nothing is reduced
  EXPECT_EQ(form.digits[0].extent, 1u << 20);
}

TEST(DigitForm, ScalarOperandsAndScalarResult) {
  const TableProgram program = bucket("k", {7}, {"k", ""}, "");
  const DigitForm form = buildDigitForm(program, OpId(0));
  EXPECT_EQ(form.keptAddresses(), 1u);
  EXPECT_EQ(form.reducedAddresses(), 7u);
  EXPECT_EQ(form.operands[1].stridesElems, (std::vector<uint64_t>{0}));
}

TEST(DigitForm, FaultsAreNamed) {
  const DigitForm good = buildDigitForm(bucket("xk", {3, 4}, {"xk", "k"}, "x"), OpId(0));
  EXPECT_EQ(findFault(good), "");
  DigitForm bad = good;
  bad.operands[0].sizeElems = 11;
  EXPECT_EQ(findFault(bad), "operand 0 reaches entry 11 of a table of 11");
  bad = good;
  bad.result.stridesElems[0] = 0;
  EXPECT_EQ(findFault(bad), "the result lacks kept digit 0");
  bad = good;
  bad.digits[0].extent = 0;
  EXPECT_EQ(findFault(bad), "digit 0 has extent 0");
  bad = good;
  std::swap(bad.digits[0], bad.digits[1]);
  EXPECT_EQ(findFault(bad), "kept digit 1 after a reduced one");
}

} // namespace
} // namespace mpf
