// Which cases of a run lie close enough together for its tables.
#include "runtime/cases/case_groups.h"

#include <gtest/gtest.h>
#include <vector>

namespace mpf {
namespace {

using Groups = std::vector<std::vector<uint32_t>>;

CaseTable tableOf(std::vector<double> entries, std::vector<int32_t> exponents) {
  CaseTable table;
  table.entries = std::move(entries);
  table.exponents = std::move(exponents);
  return table;
}

TEST(CaseGroups, AnImprobableCaseIsAlone) {
  const CaseTable table = tableOf({1, 0x1p-20, 0x1.8p3, 0x1p-300}, {0, 0, 0, -400});
  EXPECT_EQ(groupsByMagnitude(table, std::vector<uint32_t>{0, 1, 2, 3}, 450),
            (Groups{{0, 1, 2}, {3}}));
  EXPECT_EQ(groupsByMagnitude(table, std::vector<uint32_t>{0, 1, 2}, 450), (Groups{{0, 1, 2}}));
}

TEST(CaseGroups, ThoseOfAGroupLieWithinItsOrders) {
  const CaseTable table = tableOf({0x1p-100, 1, 0x1p-101, 0x1p-50}, {0, 0, 0, 0});
  EXPECT_EQ(groupsByMagnitude(table, std::vector<uint32_t>{0, 1, 2, 3}, 100),
            (Groups{{0, 1, 3}, {2}}));
}

TEST(CaseGroups, ImpossibleCasesAreInNone) {
  const CaseTable table = tableOf({0, 1, -0x1p-900}, {0, 0, 0});
  EXPECT_EQ(groupsByMagnitude(table, std::vector<uint32_t>{0, 1, 2}, 450), (Groups{{1}, {2}}));
  EXPECT_TRUE(groupsByMagnitude(table, std::vector<uint32_t>{0}, 450).empty());
}

TEST(CaseGroups, TheGreatestEntryOfACaseCounts) {
  CaseTable table = tableOf({0x1p-800, 1, 1, 0x1p-800}, {0, 0});
  table.size = 2;
  table.farApart[1] = {{1, -5000}, {1.5, -2000}};
  EXPECT_EQ(groupsByMagnitude(table, std::vector<uint32_t>{0, 1}, 1999), (Groups{{0}, {1}}));
  EXPECT_EQ(groupsByMagnitude(table, std::vector<uint32_t>{0, 1}, 2000), (Groups{{0, 1}}));
}

} // namespace
} // namespace mpf
