#include "codegen/lanes/lane_writer.h"

#include <gtest/gtest.h>

namespace mpf {
namespace {

LaneProgram threeVariables() {
  LaneProgram program;
  program.variables = {{"x", 2, {}}, {"y", 2, {}}, {"z", 3, {}}};
  program.schema.observed = {{VarId{2}, 3}};
  return program;
}

/// Tables with the same entries are stored once; each has separate variables.
TEST(LaneWriter, ARowHasTheVariablesOfItsReader) {
  LaneProgram program = threeVariables();
  LaneWriter writer(program, 4096);
  const HeldTable one = writer.addIndicator(0);
  const HeldTable factor = writer.addValues({"f", 6, nullptr}, "f", {VarId{0}, VarId{2}});
  const std::vector<HeldTable> operands{one, factor};
  const HeldTable common = writer.addCommon(operands, {VarId{0}});
  HeldTable other = common;
  other.scope = {VarId{1}};
  const HeldTable row = writer.row(common), otherRow = writer.row(other);
  EXPECT_EQ(row.table, otherRow.table);
  EXPECT_EQ(program.steps.size(), 1u);
  EXPECT_EQ(row.scope, std::vector{VarId{0}});
  EXPECT_EQ(otherRow.scope, std::vector{VarId{1}});
  EXPECT_EQ(otherRow.strideOf(VarId{1}), 1u);
}

TEST(LaneWriter, LargeIndicatorsAreNotStored) {
  LaneProgram program = threeVariables();
  LaneWriter writer(program, 11);
  const HeldTable indicator = writer.addIndicator(0); // 12 entries
  EXPECT_EQ(program.tables[indicator.table].kind, LaneTableKind::Indicator);
  EXPECT_TRUE(program.values.empty());
  LaneWriter(program, 12).addIndicator(0);
  EXPECT_EQ(program.tables.back().kind, LaneTableKind::Values);
}

} // namespace
} // namespace mpf
