// The least time of a kernel, on operations small enough to count by hand (sm_90).
#include "codegen/kernel/cost/floor.h"

#include "codegen/kernel/form/build_digit_form.h"
#include "tests/unit/codegen/kernel/bucket_builder.h"

#include <gtest/gtest.h>

using namespace mpf;

namespace {

const Target kFloorTarget = targetNamed("sm_90");
constexpr double kFloorClocks = 1.98e3 * 132; ///< of all multiprocessors

DigitForm floorFormOf(const std::vector<std::string> &operands) {
  return buildDigitForm(bucket("xk", {8, 4}, operands, "x", {}), OpId(0));
}

TEST(ArithmeticPeak, CountsAMultiplyAddAsTwo) {
  EXPECT_DOUBLE_EQ(arithmeticPeak(ElementType::F32, kFloorTarget), 2 * 128 * kFloorClocks);
  EXPECT_DOUBLE_EQ(arithmeticPeak(ElementType::F64, kFloorTarget), 2 * 64 * kFloorClocks);
  EXPECT_DOUBLE_EQ(arithmeticPeak(ElementType::U64, kFloorTarget), 2 * 128 * kFloorClocks / 6);
  EXPECT_DOUBLE_EQ(arithmeticPeak(ElementType::U128, kFloorTarget), 2 * 128 * kFloorClocks / 20);
}

/// f(x, k) g(k) summed over k: 8 * 4 + 4 entries in, 8 out; a product and a sum per address.
TEST(FloorTerms, AreEveryTableOnceAndTheOperations) {
  const DigitForm form = floorFormOf({"xk", "k"});
  EXPECT_EQ(compulsoryBytes(form, ElementType::F32), 4 * (32 + 4 + 8));
  const FloorTerms terms = floorTerms(form, ElementType::F32, ValueForm::Linear, kFloorTarget);
  EXPECT_DOUBLE_EQ(terms.bytesUs, 4 * (32 + 4 + 8) / 4250e3);
  EXPECT_DOUBLE_EQ(terms.arithmeticUs, 32 * 2 / (2 * 128 * kFloorClocks));
  EXPECT_DOUBLE_EQ(terms.longerUs(), terms.bytesUs);
}

TEST(FloorTerms, CountATableThatIsReadTwiceOnce) {
  DigitForm form = floorFormOf({"xk", "xk"});
  EXPECT_EQ(compulsoryBytes(form, ElementType::F64), 8 * (32 + 32 + 8));
  form.operands[1].table = form.operands[0].table;
  EXPECT_EQ(compulsoryBytes(form, ElementType::F64), 8 * (32 + 8));
}

TEST(FloorTerms, CountPackedEntriesAsBits) {
  const DigitForm form = floorFormOf({"!xk"});
  EXPECT_EQ(compulsoryBytes(form, ElementType::F32), 32 / 8 + 4 * 8);
}

/// These are the numbers that the planner has of an operation before it has a form.
TEST(FloorTerms, OfBytesAndOperations) {
  const FloorTerms terms = floorTerms(4250e3, 0, ElementType::F32, kFloorTarget);
  EXPECT_DOUBLE_EQ(terms.bytesUs, 1);
  EXPECT_EQ(terms.arithmeticUs, 0);
  const FloorTerms busy = floorTerms(0, 2 * 128 * kFloorClocks, ElementType::F32, kFloorTarget);
  EXPECT_DOUBLE_EQ(busy.longerUs(), 1);
}

} // namespace
