#include "dsl/support/cases/case_block.h"

#include "tests/support/time_of.h"

#include <gtest/gtest.h>

namespace mpf {
namespace {

TEST(CaseBlock, FindsWeightsOfAnyMagnitudeInNoLinearTime) {
  constexpr uint32_t kRows = 300000;
  CaseSchema schema;
  schema.likelihoods = {{VarId(0), kRows}};
  CaseBlock block(schema, 1);
  block.count = 1;
  for (uint32_t row = 0; row < kRows; ++row) {
    block.weights()[row] = row % 3 == 0 ? 0.5 : 5e-324;
    if (row % 3 != 0)
      block.far[0].push_back({row, {1.5, -2000 - int64_t{row}}});
  }
  uint32_t right = 0;
  const double seconds = secondsOf([&] {
    for (uint32_t row = 0; row < kRows; ++row) {
      const ScaledNumber weight = block.weight(row, 0);
      right += row % 3 == 0 ? weight.exponent == -1 : weight.exponent == -2000 - int64_t{row};
    }
  });
  EXPECT_EQ(right, kRows);
  EXPECT_LT(seconds, kMostLinearSeconds);
}

} // namespace
} // namespace mpf
