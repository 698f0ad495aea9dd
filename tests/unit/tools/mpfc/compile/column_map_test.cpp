// Blocks of a list's columns become blocks of a program's.
#include "tools/mpfc/compile/column_map.h"

#include <gtest/gtest.h>

namespace mpf::driver {
namespace {

const CaseVariable kSmall{VarId{0}, 2}, kOther{VarId{1}, 3}, kLarge{VarId{2}, 300};

ProgramHead programOf(const CaseSchema &schema) {
  ProgramHead program;
  program.schema = schema;
  return program;
}

TEST(ColumnMap, ColumnsFindTheirPlaceAndOthersSayNothing) {
  CaseSchema from, to;
  from.observed = {kOther, kSmall};
  from.likelihoods = {kLarge};
  to.observed = {kSmall, kLarge, kOther}; // codes of two bytes instead of one
  to.likelihoods = {kOther, kLarge};
  const ColumnMap columns(from, programOf(to));
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
  EXPECT_TRUE(ColumnMap(schema, programOf(schema)).isIdentity());
}

TEST(ColumnMap, NamesAColumnThatIsMissing) {
  CaseSchema from, to;
  from.observed = {kSmall, kOther};
  to.observed = {kSmall};
  EXPECT_THROW(ColumnMap(from, programOf(to)), MissingColumn);
  from.observed = {kSmall};
  from.likelihoods = {kOther};
  try {
    ColumnMap(from, programOf(to));
    FAIL() << "a likelihood of a column that may only be observed";
  } catch (const MissingColumn &missing) {
    EXPECT_EQ(missing.variable, kOther.variable);
    EXPECT_TRUE(missing.isLikelihood);
  }
}

/// Inputs are in a different order before a table that follows from params; one has its defaults.
TEST(ColumnMap, InputsFindTheirPlaceOrHaveTheirDefaults) {
  ProgramHead program;
  program.caseInputs = {{"f", {}, false, nullptr},
                        {"g", {}, false, std::make_shared<const std::vector<double>>(2, 0.25)},
                        {"h", {}, false, nullptr}};
  program.schema.tables = {{{}, 1, false}, {{}, 2, false}, {{}, 2, false}, {{}, 1, false}};
  program.formulas.tables.resize(1);
  CaseSchema from;
  from.tables = {{{FactorId{2}}, 2, false}, {{FactorId{0}}, 1, false}, {{}, 1, false}};
  const ColumnMap columns(from, program);
  EXPECT_FALSE(columns.isIdentity());
  CaseBlock block(from, 1), mapped;
  block.count = 1;
  block.weights() = {3, 4, 5, 6};
  columns.fill(block, mapped);
  EXPECT_EQ(mapped.weights(), (std::vector<double>{5, 0.25, 0.25, 3, 4, 6}));

  from.tables.erase(from.tables.begin());
  try {
    ColumnMap(from, program);
    FAIL() << "h has no defaults";
  } catch (const MissingTable &missing) {
    EXPECT_EQ(missing.input, 2u);
  }
  from.tables = program.schema.tables;
  for (size_t t = 0; t < 3; ++t)
    from.tables[t].factors = {FactorId{t}};
  EXPECT_TRUE(ColumnMap(from, program).isIdentity());
}

} // namespace
} // namespace mpf::driver
