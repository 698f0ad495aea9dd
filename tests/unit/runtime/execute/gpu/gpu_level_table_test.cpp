// The tables of the level kernel say what the mapping vector says.
#include "runtime/execute/gpu/gpu_level_table.h"

#include "codegen/bundle/table_driven_shape.h"
#include "runtime/schedule/clique_collector.h"

#include <cstring>
#include <gtest/gtest.h>

namespace mpf {
namespace {

/// Operation i: `outputs` results of `terms` terms each, of buffer 0.
Bundle levelTableBundle(const std::vector<std::pair<uint64_t, uint64_t>> &shapes) {
  Bundle bundle;
  bundle.buffers.push_back({"b0", 64, 0, true});
  for (const auto &[outputs, terms] : shapes) {
    BundleOperation operation;
    operation.digits = {{outputs, false}, {terms, true}};
    operation.operands = {{BufferId(size_t{0}), {1, 0}, {}}};
    operation.result = {BufferId(bundle.buffers.size()), {1, 0}, {}};
    bundle.buffers.push_back({"b", outputs, 1024 * bundle.buffers.size(), false});
    bundle.operations.push_back(operation);
  }
  return bundle;
}

GpuOperationTable tableOf(const Bundle &bundle) {
  return buildGpuOperationTable(bundle, DeviceBuffers(bundle), 0, 0);
}

TEST(LevelTable, StepsAreAsManyTasksAsWarps) {
  const Bundle bundle = levelTableBundle({{4, 4}, {4, 4}, {64, 8}});
  const GpuOperationTable table = tableOf(bundle);
  LaunchPlan plan;
  plan.mappings = {{{{{false, false, {wholeTask(bundle, 0), wholeTask(bundle, 1)}},
                      {true, true, {wholeTask(bundle, 2)}}},
                     {{false, true, {wholeTask(bundle, 2)}}}}}};
  const GpuLevelTable level = buildGpuLevelTable(plan, table, buildGpuRecords(table), true);
  ASSERT_EQ(level.places.size(), 1u);
  EXPECT_EQ(level.places[0].steps, 2);
  ASSERT_EQ(level.tasks.size(), 4 * kLevelWarps) << "the second block has an idle step";
  EXPECT_EQ(level.tasks[0].flags, kTaskFirst | kTaskNormalises);
  EXPECT_EQ(level.tasks[2].units, 0) << "two of eight warps have a task";
  for (uint32_t warp = 0; warp < kLevelWarps; ++warp) {
    EXPECT_EQ(level.tasks[kLevelWarps + warp].flags,
              kTaskFirst | kTaskNormalises | kTaskBlock | kTaskBarrier);
    EXPECT_EQ(level.tasks[3 * kLevelWarps + warp].units, 0);
  }
  EXPECT_EQ(level.partials, 0u);
}

TEST(LevelTable, PartsOfTheTermsHaveRoomForTheirSums) {
  const Bundle bundle = levelTableBundle({{3, 1000}});
  const GpuOperationTable table = tableOf(bundle);
  LevelTask first = wholeTask(bundle, 0), second = first;
  first.terms.end = second.terms.first = 600;
  LaunchPlan plan;
  plan.mappings = {{{{{false, true, {first}}}, {{false, true, {second}}}}}};
  const GpuLevelTable level = buildGpuLevelTable(plan, table, buildGpuRecords(table), false);
  EXPECT_EQ(level.partials, 6u);
  const GpuLevelTask &late = level.tasks[kLevelWarps];
  EXPECT_EQ(late.firstPartial, 0);
  EXPECT_EQ(late.partial, 3);
  EXPECT_EQ(late.teams, 2);
  EXPECT_EQ(late.flags, kTaskBlock) << "the first part writes scale and form";
  EXPECT_GT(late.lanes, 1) << "few outputs, long sums: several threads an output";
  EXPECT_EQ(kTableDrivenThreads % static_cast<uint32_t>(late.lanes), 0u);
}

TEST(LevelTable, OffsetTablesStandWhereTheyPay) {
  Bundle bundle = levelTableBundle({{1 << 12, 2}, {64, 2}});
  bundle.operations[0].digits = {};
  std::vector<uint64_t> strides;
  for (int i = 0; i < 12; ++i) {
    bundle.operations[0].digits.push_back({2, false});
    strides.push_back(uint64_t{1} << (11 - i));
  }
  bundle.operations[0].operands[0].stridesElems = strides;
  bundle.operations[0].result.stridesElems = strides;
  const GpuOperationTable table = tableOf(bundle);
  LaunchPlan plan;
  plan.mappings = {
      {{{{false, true, {wholeTask(bundle, 0)}}, {false, true, {wholeTask(bundle, 1)}}}}}};
  const GpuLevelTable level = buildGpuLevelTable(plan, table, buildGpuRecords(table), false);
  EXPECT_EQ(level.tasks[0].outputLows, 64) << "two tables of 64 entries for 4096 outputs";
  EXPECT_EQ(level.tasks[0].termLows, 1);
  EXPECT_EQ(level.tasks[kLevelWarps].outputLows, 0) << "an output for each entry of a table";
}

TEST(LevelTable, RecordsHoldTheirDigitsAndTakeNewAddresses) {
  const Bundle bundle = levelTableBundle({{4, 5}});
  GpuOperationTable table = tableOf(bundle);
  GpuRecords records = buildGpuRecords(table);
  EXPECT_EQ(records.count(0), kRecordOperationUnits + 2 * kRecordDigitUnits);
  table.operations[0].table[0] = 0x1234;
  records.set(0, table.operations[0]);
  GpuOperation operation;
  std::memcpy(static_cast<void *>(&operation), records.units.data(), sizeof operation);
  EXPECT_EQ(operation.table[0], 0x1234u);
  GpuDigit digit;
  std::memcpy(static_cast<void *>(&digit),
              &records.units[kRecordOperationUnits + kRecordDigitUnits], sizeof digit);
  EXPECT_EQ(digit.extent, 5u);
}

} // namespace
} // namespace mpf
