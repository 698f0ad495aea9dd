#include "dsl/support/hash.h"

#include <gtest/gtest.h>

using namespace mpf;

TEST(Hash, PartBoundariesCount) {
  const auto left = HashBuilder().add("ab").add("c").finish();
  const auto right = HashBuilder().add("a").add("bc").finish();
  EXPECT_NE(left.hex(), right.hex());
}

TEST(Hash, SamePartsSameName) {
  const auto once = HashBuilder().add("kernel").add(uint64_t{90}).finish();
  const auto again = HashBuilder().add("kernel").add(uint64_t{90}).finish();
  EXPECT_EQ(once, again);
  EXPECT_EQ(once.hex().size(), 32u);
}
