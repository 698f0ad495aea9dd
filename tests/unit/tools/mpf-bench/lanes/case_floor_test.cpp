// Floors of lists of cases: the longest of three bounds, and its margin.
#include "tools/mpf-bench/lanes/case_floor.h"

#include <gtest/gtest.h>

namespace mpf::bench {
namespace {

/// Returns a program that picks rows of `row` entries and adds up `terms` products of two.
LaneProgram program(uint64_t row, uint32_t terms) {
  LaneProgram lanes;
  for (uint32_t v = 0; v < 10; ++v)
    lanes.schema.observed.push_back({VarId{v}, 2});
  lanes.tables.resize(1);
  lanes.tables[0].sizeElems = row;
  lanes.steps.emplace_back(LaneGather{});
  LaneOperation operation;
  operation.digits.push_back({.extent = terms, .reduced = true});
  operation.operands.resize(2);
  lanes.steps.emplace_back(operation);
  lanes.outputs.resize(1);
  return lanes;
}

/// Returns a target that does the following in a microsecond: copies 10 bytes, executes 4
/// operations, and reads a word from each of 2 banks.
Target slow() {
  Target target;
  target.smCount = 1;
  target.sharedBanks = 2;
  target.clockGhz = 1e-3;
  target.copyBytesPerUs = 10;
  target.f64FlopsPerUs = target.f32FlopsPerUs = 4;
  return target;
}

TEST(CaseFloor, IsTheLongestOfThree) {
  const LaneProgram lanes = program(4, 8);
  EXPECT_EQ(caseBytes(lanes, ElementType::F64), 10u + 8);
  const CaseFloor floor = caseFloor(lanes, ElementType::F64, 1'000'000, slow(), 1);
  EXPECT_DOUBLE_EQ(floor.bytesSeconds, 1.8);
  EXPECT_DOUBLE_EQ(floor.arithmeticSeconds, 16.0 / 4);
  EXPECT_DOUBLE_EQ(floor.rowsSeconds, 4 * 8 / 8.0);
  EXPECT_EQ(floor.seconds(), 4);
  EXPECT_EQ(caseFloor(program(5, 8), ElementType::F64, 1, slow(), 1).bound(), "rows");
  EXPECT_EQ(caseFloor(program(3, 8), ElementType::F64, 1, slow(), 1).bound(), "arithmetic");
  EXPECT_EQ(caseFloor(program(1, 2), ElementType::F64, 1, slow(), 1).bound(), "bytes");
  EXPECT_EQ(CaseFloor().bound(), "");
}

TEST(CaseFloor, ThreadsShareTheMemoryAndNotTheArithmetic) {
  Target cpu = slow();
  cpu.sharedBanks = 1;
  const CaseFloor floor = caseFloor(program(4, 8), ElementType::F32, 1'000'000, cpu, 4);
  EXPECT_DOUBLE_EQ(floor.bytesSeconds, 1.4);
  EXPECT_DOUBLE_EQ(floor.arithmeticSeconds, 1);
  EXPECT_EQ(floor.rowsSeconds, 0);
}

} // namespace
} // namespace mpf::bench
