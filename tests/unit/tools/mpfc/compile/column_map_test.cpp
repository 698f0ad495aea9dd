// Blocks of a list's columns become blocks of a program's.
#include "tools/mpfc/compile/column_map.h"

#include <gtest/gtest.h>

namespace mpf::driver {
namespace {

const CaseVariable kSmall{VarId{0}, 2}, kOther{VarId{1}, 3}, kLarge{VarId{2}, 300};

TEST(ColumnMap, ColumnsFindTheirPlaceAndOthersSayNothing) {
  CaseSchema from, to;
  from.observed = {kOther, kSmall};
  from.likelihoods = {kLarge};
  to.observed = {kSmall, kLarge, kOther}; // codes of two bytes instead of one
  to.likelihoods = {kOther, kLarge};
  const ColumnMap columns(from, to);
  EXPECT_FALSE(columns.isIdentity());
  CaseBlock block(from, 4), mapped;
  block.first = 7;
  block.count = 2;
  block.skipped = {1};
  for (uint32_t i = 0; i < block.count; ++i) {
    block.setCode(0, i, i + 1);
    block.setCode(1, i, i);
  }
  for (size_t row = 0; row < 300; ++row)
    for (uint32_t i = 0; i < block.count; ++i)
      block.weights()[row * block.pitch() + i] = static_cast<double>(row) + 0.5 * i;
  columns.fill(block, mapped);
  EXPECT_EQ(mapped.first, 7u);
  EXPECT_EQ(mapped.count, 2u);
  EXPECT_EQ(mapped.skipped, block.skipped);
  for (uint32_t i = 0; i < 2; ++i) {
    EXPECT_EQ(mapped.code(0, i), i);
    EXPECT_EQ(mapped.code(1, i), 300u); // not observed
    EXPECT_EQ(mapped.code(2, i), i + 1);
    for (size_t row = 0; row < 3; ++row)
      EXPECT_EQ(mapped.weights()[row * mapped.pitch() + i], 1);
    for (size_t row = 0; row < 300; ++row)
      EXPECT_EQ(mapped.weights()[(3 + row) * mapped.pitch() + i],
                static_cast<double>(row) + 0.5 * i);
  }
}

TEST(ColumnMap, TheSameColumnsNeedNoCopy) {
  CaseSchema schema;
  schema.observed = {kSmall, kOther};
  EXPECT_TRUE(ColumnMap(schema, schema).isIdentity());
}

TEST(ColumnMap, NamesAColumnThatIsMissing) {
  CaseSchema from, to;
  from.observed = {kSmall, kOther};
  to.observed = {kSmall};
  EXPECT_THROW(ColumnMap(from, to), MissingColumn);
  from.observed = {kSmall};
  from.likelihoods = {kOther};
  try {
    ColumnMap(from, to);
    FAIL() << "a likelihood of a column that may only be observed";
  } catch (const MissingColumn &missing) {
    EXPECT_EQ(missing.variable, kOther.variable);
    EXPECT_TRUE(missing.isLikelihood);
  }
}

} // namespace
} // namespace mpf::driver
