// normalise(...) around entries that no double holds.
#include "tests/support/time_of.h"
#include "tests/unit/dsl/model/build_fixture.h"

#include <cmath>
#include <gtest/gtest.h>

namespace mpf {
namespace {

using namespace mpf::test;

TEST(NormaliseTable, DividesRowsWhoseEntriesNoDoubleHolds) {
  const Built built = build(R"(
var a : 2
var b : 3
factor f(a, b) = normalise([1e-400, 1e-400, 2e-400, 1, 3e-400, 0])
)");
  ASSERT_TRUE(built.model) << built.messages;
  const Factor &factor = *factorNamed(*built.model, "f");
  const StoredValues values(*storedValues(factor), 6);
  EXPECT_DOUBLE_EQ(values.at(0).nearest(), 0.25);
  EXPECT_DOUBLE_EQ(values.at(2).nearest(), 0.5);
  EXPECT_DOUBLE_EQ(values.at(3).nearest(), 1);
  EXPECT_NEAR(values.at(4).log10(), -400 + std::log10(3), 1e-12);
}

TEST(NormaliseTable, TakesTimeLinearInTheRows) {
  std::optional<Built> built;
  const double seconds = secondsOf([&built] {
    built = build("var a : 200000\nvar b : 2\n"
                  "factor f(a, b) = normalise(exp(-1000 - a / 100 - b))\n");
  });
  ASSERT_TRUE(built->model) << built->messages;
  const Factor &factor = *factorNamed(*built->model, "f");
  const StoredValues values(*storedValues(factor), 400000);
  EXPECT_NEAR(values.at(399998).nearest(), 1 / (1 + std::exp(-1)), 1e-12);
  EXPECT_LT(seconds, kMostLinearSeconds);
}

} // namespace
} // namespace mpf
