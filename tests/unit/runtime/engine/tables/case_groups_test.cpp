// The cases of a run whose answers are close enough together for its tables.
#include "runtime/engine/tables/case_groups.h"

#include <gtest/gtest.h>
#include <vector>

namespace mpf {
namespace {

using Groups = std::vector<std::vector<uint32_t>>;

Groups groups(const std::vector<int64_t> &magnitudes, const std::vector<uint32_t> &places,
              int32_t orders) {
  return groupsByMagnitude(magnitudes, places, orders);
}

TEST(CaseGroups, AnImprobableCaseIsAlone) {
  EXPECT_EQ(groups({0, -20, 3, -700}, {0, 1, 2, 3}, 450), (Groups{{0, 1, 2}, {3}}));
  EXPECT_EQ(groups({0, -20, 3}, {4, 6, 9}, 450), (Groups{{4, 6, 9}}));
}

TEST(CaseGroups, ThoseOfAGroupLieWithinItsOrders) {
  EXPECT_EQ(groups({-100, 0, -101, -50}, {0, 1, 2, 3}, 100), (Groups{{0, 1, 3}, {2}}));
}

TEST(CaseGroups, ImpossibleCasesAreInNone) {
  EXPECT_EQ(groups({INT64_MIN, 0, -900}, {3, 5, 7}, 450), (Groups{{5}, {7}}));
  EXPECT_TRUE(groups({INT64_MIN}, {0}, 450).empty());
}

} // namespace
} // namespace mpf
