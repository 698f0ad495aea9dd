// Rows of tables lie an odd number of vectors apart, and cost more outside of shared memory.
#include "codegen/lanes/lane_cost.h"

#include "tests/unit/codegen/lanes/lane_programs.h"

#include <gtest/gtest.h>

namespace mpf {
namespace {

/// A case picks one of `rows` rows by its code, and adds it up.
LaneProgram picking(uint32_t rows, uint64_t rowElems) {
  test::LaneProgramBuilder builder;
  builder.program.variables = {{"x", rows - 1, {}}};
  builder.program.schema.observed = {{VarId{0}, rows - 1}};
  const uint32_t table = builder.values(std::vector<double>(rows * rowElems, 1.0));
  const uint32_t row = builder.message(rowElems), total = builder.message(1);
  builder.program.steps.emplace_back(LaneGather{table, row, {{0, rowElems}}});
  builder.sum(total, row);
  builder.output(total);
  return std::move(builder.program);
}

TEST(LaneCost, RowsOfTheImageAreSpreadOverBanks) {
  const auto pitchOf = [](uint64_t rowElems) {
    return placeLaneTables(picking(9, rowElems), 4, 1 << 20).tables.front().pitchElems;
  };
  EXPECT_EQ(pitchOf(1), 1u);
  EXPECT_EQ(pitchOf(2), 2u);
  EXPECT_EQ(pitchOf(3), 4u);
  EXPECT_EQ(pitchOf(8), 12u);
  EXPECT_EQ(pitchOf(27), 28u);
  EXPECT_EQ(pitchOf(256), 260u);
}

TEST(LaneCost, RowsOutsideOfSharedMemoryCostMore) {
  LaneCosts costs = laneCostsOf(DeviceKind::Gpu, ElementType::F64);
  const LaneProgram program = picking(101, 60);
  const double near = laneCost(program, costs);
  EXPECT_EQ(near, 60 * costs.loadedElem);
  costs.sharedElems = 100;
  EXPECT_EQ(laneCost(program, costs), 60 * costs.farElem);
  EXPECT_GT(costs.farElem, costs.loadedElem);
}

} // namespace
} // namespace mpf
