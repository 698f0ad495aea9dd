// The tables of the level kernel, compared with the mapping vector.
#include "runtime/execute/gpu/tables/gpu_level_table.h"

#include "codegen/bundle/table_driven_shape.h"
#include "dsl/support/error.h"
#include "runtime/schedule/launches/clique_collector.h"

#include <algorithm>
#include <cstring>
#include <gtest/gtest.h>
#include <random>

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
  EXPECT_EQ(level.places[0].heads, 2);
  ASSERT_EQ(level.tasks.size(), 4 * kLevelWarps) << "the second block has an idle step";
  EXPECT_EQ(level.tasks[0].flags, kTaskFirst | kTaskNormalises | kTaskTabled | kTaskInOrder);
  EXPECT_EQ(level.tasks[2].units, 0) << "two of eight warps have a task";
  for (uint32_t warp = 0; warp < kLevelWarps; ++warp) {
    EXPECT_EQ(level.tasks[kLevelWarps + warp].flags, kTaskFirst | kTaskNormalises | kTaskBlock |
                                                         kTaskBarrier | kTaskTabled | kTaskInOrder |
                                                         kTaskLast);
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
  EXPECT_EQ(late.flags, kTaskBlock | kTaskTabled | kTaskInOrder | kTaskLast)
      << "the first part writes scale and form";
  EXPECT_GT(late.lanes, 1) << "few outputs, long sums: several threads an output";
  EXPECT_EQ(kTableDrivenThreads % static_cast<uint32_t>(late.lanes), 0u);
}

TEST(LevelTable, LaterStepsOfABlockFollowEachOther) {
  const Bundle bundle = levelTableBundle({{64, 8}, {64, 8}, {64, 8}, {64, 8}, {64, 8}});
  const GpuOperationTable table = tableOf(bundle);
  const auto step = [&](uint32_t operation) {
    return LevelStep{operation > 0, true, {wholeTask(bundle, operation)}};
  };
  LaunchPlan plan;
  plan.mappings = {{{{step(0), step(1), step(2), step(3)}, {step(4)}}}};
  const GpuRecords records = buildGpuRecords(table);
  const GpuLevelTable level = buildGpuLevelTable(plan, table, records, true);
  ASSERT_EQ(level.tasks.size(), 6 * kLevelWarps) << "two heads for each block, and two steps more";
  const auto operationAt = [&](size_t at) {
    const int32_t record = level.tasks[at * kLevelWarps].record;
    return std::find(records.first.begin(), records.first.end(), record) - records.first.begin();
  };
  size_t at = 0;
  EXPECT_EQ(operationAt(1), 1);
  EXPECT_EQ(operationAt(2), 4);
  for (const int operation : {2, 3}) {
    const GpuLevelTask &before = level.tasks[(operation - 2) * kLevelWarps + 3];
    at = static_cast<size_t>(before.ahead);
    EXPECT_EQ(operationAt(at), operation);
  }
  EXPECT_EQ(level.tasks[at * kLevelWarps].ahead, 0);
  EXPECT_NE(level.tasks[at * kLevelWarps].flags & kTaskLast, 0);
  EXPECT_EQ(level.tasks[0].flags & kTaskLast, 0);
}

TEST(LevelTable, StepsSayForWhomTheyWait) {
  const Bundle bundle = levelTableBundle({{64, 8}, {64, 8}, {64, 8}, {64, 8}, {64, 8}});
  const GpuOperationTable table = tableOf(bundle);
  const auto step = [&](uint32_t operation, uint32_t phase) {
    return LevelStep{false, true, {wholeTask(bundle, operation)}, phase};
  };
  LaunchPlan plan; // three blocks, of which the second has no part of phase 1
  plan.mappings = {{{{step(0, 0), step(2, 1), step(4, 2)}, {step(1, 0)}, {step(3, 1)}}}};
  const GpuLevelTable level = buildGpuLevelTable(plan, table, buildGpuRecords(table), true);
  const int32_t phases = 5; // their counters follow those of five operations
  const auto flagsOf = [](const GpuLevelTask &task) {
    return task.flags & (kTaskAwaits | kTaskEnds);
  };
  const GpuLevelTask &a = level.tasks[0], &b = level.tasks[kLevelWarps],
                     &c = level.tasks[static_cast<size_t>(a.ahead) * kLevelWarps];
  EXPECT_EQ(flagsOf(a), kTaskEnds);
  EXPECT_EQ(a.ended, phases + 0) << "the first operation of phase 0";
  EXPECT_EQ(flagsOf(b), kTaskAwaits | kTaskEnds);
  EXPECT_EQ(b.awaited, phases + 0);
  EXPECT_EQ(b.awaitedBlocks, 2);
  EXPECT_EQ(b.ended, phases + 2);
  EXPECT_EQ(flagsOf(c), kTaskAwaits) << "nobody waits for the last phase";
  EXPECT_EQ(c.awaited, phases + 2);
  EXPECT_EQ(c.awaitedBlocks, 2);
  EXPECT_EQ(flagsOf(level.tasks[4 * kLevelWarps]), kTaskAwaits | kTaskEnds);
}

TEST(LevelTable, SumsOfPartsStandInTheOrderOfTheTerms) {
  const Bundle bundle = levelTableBundle({{3, 900}, {2, 400}});
  const GpuOperationTable table = tableOf(bundle);
  const auto part = [&](uint32_t operation, uint64_t first, uint64_t end) {
    LevelTask task = wholeTask(bundle, operation);
    task.terms = {first, end};
    return LevelStep{false, true, {task}};
  };
  LaunchPlan plan; // folded: a block has the first and the third part
  plan.mappings = {{{{part(0, 0, 300), part(1, 0, 200), part(0, 600, 900)},
                     {part(0, 300, 600), part(1, 200, 400)}}}};
  const GpuLevelTable level = buildGpuLevelTable(plan, table, buildGpuRecords(table), false);
  EXPECT_EQ(level.partials, 3u * 3 + 2 * 2);
  const auto partialAt = [&](size_t at) { return level.tasks[at * kLevelWarps].partial; };
  EXPECT_EQ(partialAt(0), 0);
  EXPECT_EQ(partialAt(1), 9) << "behind those of the other operation";
  EXPECT_EQ(partialAt(2), 3);
  EXPECT_EQ(partialAt(3), 11);
  EXPECT_EQ(partialAt(4), 6) << "the third part";
}

/// Returns a mapping vector of operation 0, by a block.
GpuLevelTask taskFor(const GpuOperationTable &table, const LevelTask &task,
                     bool wholeBlock = true) {
  LaunchPlan plan;
  plan.mappings = {{{{{false, wholeBlock, {task}}}}}};
  return buildGpuLevelTable(plan, table, buildGpuRecords(table), false).tasks[0];
}

TEST(LevelTable, OffsetRowsAreAsFewAsCanBe) {
  Bundle bundle = levelTableBundle({{1 << 12, 2}});
  bundle.operations[0].digits = {};
  std::vector<uint64_t> strides;
  for (int i = 0; i < 12; ++i) {
    bundle.operations[0].digits.push_back({2, false});
    strides.push_back(uint64_t{1} << (11 - i));
  }
  bundle.operations[0].operands[0].stridesElems = strides;
  bundle.operations[0].result.stridesElems = strides;
  const GpuOperationTable table = tableOf(bundle);
  LevelTask task = wholeTask(bundle, 0);
  const GpuLevelTask all = taskFor(table, task);
  EXPECT_NE(all.flags & kTaskTabled, 0);
  EXPECT_EQ(all.outputParts.lows, 64u) << "64 rows of either part for 4096 outputs";
  EXPECT_EQ(all.outputParts.lowDigits, 6);
  EXPECT_EQ(all.outputParts.highs, 64u);
  EXPECT_EQ(all.termParts.lows, 1u);
  EXPECT_EQ(all.termParts.divisor.multiplier, 0u) << "there is but one part";
  task.outputs = {1000, 1200};
  const GpuLevelTask few = taskFor(table, task);
  EXPECT_EQ(few.outputParts.lows, 16u);
  EXPECT_EQ(few.outputParts.firstHigh, 62u);
  EXPECT_EQ(few.outputParts.highs, 13u);
}

TEST(LevelTable, LargeExtentsAreSplit) {
  const uint64_t prime = 10007;
  Bundle bundle = levelTableBundle({{prime, 5000}});
  const GpuOperationTable table = tableOf(bundle);
  ASSERT_EQ(table.digits[0].size(), 6u);
  EXPECT_EQ(table.operations[0].keptDigits, 3) << "a leading digit is split wherever it pays";
  const std::vector<GpuDigit> &digits = table.digits[0];
  for (const GpuDigit &digit : digits)
    EXPECT_LE(digit.extent, 64u);
  EXPECT_EQ(digits[3].extent * digits[4].extent * digits[5].extent, 5000u);
}

TEST(LevelTable, WithoutRoomForItsRowsATaskHasNone) {
  // The digit after the leading one has a prime number of values.
  Bundle bundle = levelTableBundle({{1, 1}});
  bundle.operations[0].digits = {{2, false}, {100003, false}};
  bundle.operations[0].operands[0].stridesElems = {100003, 1};
  bundle.operations[0].result.stridesElems = {100003, 1};
  const GpuOperationTable table = tableOf(bundle);
  EXPECT_EQ(taskFor(table, wholeTask(bundle, 0)).flags & kTaskTabled, 0);
}

TEST(LevelTable, AWarpHasNoRoomForRecordsOfManyDigits) {
  Bundle bundle = levelTableBundle({{1, 1}});
  bundle.operations[0].digits.assign(30, {2, false});
  bundle.operations[0].operands[0].stridesElems.assign(30, 0);
  bundle.operations[0].result.stridesElems.assign(30, 1);
  const GpuOperationTable table = tableOf(bundle);
  EXPECT_NO_THROW(taskFor(table, wholeTask(bundle, 0)));
  EXPECT_THROW(taskFor(table, wholeTask(bundle, 0), false), Error);
}

TEST(LevelTable, DivisorsDivide) {
  std::mt19937_64 random(1);
  for (int i = 0; i < 20000; ++i) {
    const uint64_t divisor = 2 + (random() >> (33 + random() % 31)) % (kMostDivided - 2);
    const GpuDivisor by = divisorOf(divisor);
    for (const uint64_t a :
         {uint64_t{0}, divisor - 1, divisor, kMostDivided / divisor * divisor - 1, kMostDivided - 1,
          random() % kMostDivided})
      ASSERT_EQ((a * by.multiplier >> 32) >> by.shift, a / divisor) << a << " by " << divisor;
  }
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
