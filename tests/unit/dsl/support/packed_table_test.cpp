// The places of a packed table's bits, and the operations that cannot read them.
#include "dsl/support/packed_table.h"

#include <gtest/gtest.h>

namespace mpf {
namespace {

TEST(PackedTable, TakesWholeWords) {
  EXPECT_EQ(packedWords(1), 1u);
  EXPECT_EQ(packedWords(32), 1u);
  EXPECT_EQ(packedWords(33), 2u);
  EXPECT_EQ(32 * storedElemBytes(ElementType::U128, true), kPackedWordBytes);
  EXPECT_EQ(storedElemBytes(ElementType::U128, false), 16);
}

TEST(PackedTable, NeedsAZeroThatCanBeStored) {
  EXPECT_EQ(packingFaultOf({Reduce::Sum, Combine::Times}), "");
  EXPECT_EQ(packingFaultOf({Reduce::Max, Combine::Plus}), "") << "minus infinity";
  EXPECT_EQ(packingFaultOf({Reduce::Min, Combine::Times}),
            "is read by a minimum, whose zero is infinite");
  EXPECT_EQ(packingFaultOf({Reduce::Sum, Combine::Times}, true), "");
  EXPECT_EQ(packingFaultOf({Reduce::Max, Combine::Plus}, true),
            "is read by sums of whole numbers, none of which is the semiring's zero");
}

TEST(PackedTable, SlicesBeginWithAWord) {
  EXPECT_EQ(packingFaultOfSlices(0), "");
  EXPECT_EQ(packingFaultOfSlices(64), "");
  EXPECT_EQ(packingFaultOfSlices(33), packing_fault::kInsideWord);
}

} // namespace
} // namespace mpf
