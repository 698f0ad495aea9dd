#include "runtime/execute/gpu/slices/slice_tables.h"

#include "runtime/schedule/launches/build_launch_plan.h"
#include "tests/unit/runtime/execute/gpu/slices/looped_bundle.h"

#include <cstddef>
#include <gtest/gtest.h>
#include <utility>
#include <vector>

namespace mpf {
namespace {

constexpr uint64_t kInputs = 1 << 20, kWork = 2 << 20, kRecords = 3 << 20;

struct Made {
  ReplicatedBundle program;
  const Bundle &bundle = program.bundle;
  DeviceBuffers buffers{bundle};
  GpuRecords records;
  SliceTables tables;

  explicit Made(const Bundle &given, std::vector<char> runs = std::vector<char>(9, 1),
                bool assumesLinear = false, SliceReplicas counts = {})
      : program(replicateSlices(given, std::move(counts))) {
    runs = program.flagsOf(runs, true);
    records = buildGpuRecords(buildGpuOperationTable(bundle, buffers, kInputs, kWork));
    LaunchOptions options;
    options.inputStates = rangesOfInputs(bundle);
    if (assumesLinear) // so wide that nothing is proven
      for (TableState &state : options.inputStates)
        state = {0, -1022, 1023, 0};
    options.runs = runs;
    options.assumesLinear = assumesLinear;
    const LaunchPlan plan = buildLaunchPlan(bundle, options);
    const SliceSteps steps = buildSliceSteps(program, plan, runs);
    tables = buildSliceTables(program, {buffers, {kInputs, kWork}, kRecords, records}, runs,
                              LinearAssumption(bundle, plan), steps.sums);
  }
};

TEST(SliceTables, MoveTheInputsOfALoopsOwnOperations) {
  const Made made(loopedBundle());
  const SliceTables &tables = made.tables;
  ASSERT_EQ(tables.loops.size(), 3u);
  EXPECT_EQ(tables.loops[0].extent, 3);
  EXPECT_EQ(tables.loops[1].extent, 4);
  EXPECT_EQ(tables.loops[2].extent, 5);
  ASSERT_EQ(tables.loops[0].moveCount, 2) << "of operations 1 and 4";
  ASSERT_EQ(tables.loops[1].moveCount, 1);
  EXPECT_EQ(tables.loops[2].moveCount, 0);
  const GpuSliceMove &move = tables.moves[static_cast<size_t>(tables.loops[1].firstMove)];
  EXPECT_EQ(move.address, kRecords + made.records.first[2] * sizeof(GpuRecordUnit) +
                              offsetof(GpuOperation, table));
  EXPECT_EQ(move.table, kInputs + made.buffers.offsetBytes(BufferId(size_t{0})));
  EXPECT_EQ(move.signAddress, 0u);
  EXPECT_EQ(move.entryBits, 64);
  ASSERT_EQ(move.strideCount, 2);
  const auto first = static_cast<size_t>(move.firstStride);
  EXPECT_EQ(tables.strides[first], (GpuSliceStride{2, 2, 0, 0}));
  EXPECT_EQ(tables.strides[first + 1], (GpuSliceStride{6, 3, 1, 0}));
}

TEST(SliceTables, ResetWhatALoopAndThoseInsideItComputeAnew) {
  const Made made(loopedBundle());
  const auto operationsOf = [&](size_t loop) {
    const GpuSliceLoop &list = made.tables.loops[loop];
    std::vector<int32_t> operations;
    for (int32_t i = 0; i < list.resetCount; ++i) {
      const GpuSliceReset &reset = made.tables.resets[static_cast<size_t>(list.firstReset + i)];
      const BundleOperation &operation =
          made.bundle.operations[static_cast<size_t>(reset.operation)];
      EXPECT_EQ(static_cast<uint32_t>(reset.state), operation.result.buffer.value);
      EXPECT_EQ(reset.mustBeLinear, 0);
      operations.push_back(reset.operation);
    }
    return operations;
  };
  EXPECT_EQ(operationsOf(0), (std::vector<int32_t>{1, 2, 4}));
  EXPECT_EQ(operationsOf(1), (std::vector<int32_t>{2}));
  EXPECT_EQ(operationsOf(2), (std::vector<int32_t>{7}));
}

TEST(SliceTables, LeaveResultsThatDoNotRun) {
  const Made made(loopedBundle(), {1, 1, 0, 0, 0, 0, 1, 1, 1});
  EXPECT_EQ(made.tables.loops[0].resetCount, 1);
  EXPECT_EQ(made.tables.loops[1].resetCount, 0);
  EXPECT_EQ(made.tables.sums.size(), 2u);
}

TEST(SliceTables, HoldWhatIsAssumedOfAKernelAgainstEachSlice) {
  const Made made(loopedBundle(true), std::vector<char>(9, 1), true);
  const SliceTables &tables = made.tables;
  ASSERT_EQ(tables.loops[0].productCount, 1) << "of operation 4, which has a kernel";
  EXPECT_EQ(tables.loops[1].productCount, 0);
  EXPECT_EQ(tables.loops[2].productCount, 0);
  const GpuAssumedProduct &product = tables.assumed.products[0];
  ASSERT_EQ(product.operandCount, 2);
  const BundleOperation &operation = made.bundle.operations[4];
  for (size_t i = 0; i < 2; ++i)
    EXPECT_EQ(tables.assumed.operands[static_cast<size_t>(product.firstOperand) + i],
              static_cast<int32_t>(operation.operands[i].buffer.value));
}

TEST(SliceTables, AddUpByGroups) {
  const Made made(loopedBundle());
  const SliceTables &tables = made.tables;
  ASSERT_EQ(tables.groups.size(), 3u);
  ASSERT_EQ(tables.sums.size(), 4u);
  EXPECT_EQ(tables.groups[1].chunkCount, 2u);
  EXPECT_EQ(tables.chunks[tables.groups[1].firstChunk].task, 1);
  const GpuSumTask &inner = tables.sums[0];
  EXPECT_EQ(inner.operation, 3);
  EXPECT_EQ(inner.elems, 2u);
  EXPECT_EQ(inner.chunkCount, 1);
  ASSERT_EQ(inner.sliceCount, 1);
  EXPECT_EQ(tables.slices[static_cast<size_t>(inner.firstSlice)].state,
            static_cast<int32_t>(made.bundle.operations[2].result.buffer.value));
  EXPECT_EQ(inner.sum, kWork + made.buffers.offsetBytes(made.bundle.operations[3].result.buffer));
  // Loop 1 has two sums, so neither selects the best slice.
  EXPECT_NE(inner.kind & kSumNotesBest, 0);
  EXPECT_EQ(tables.sums[1].kind & kSumNotesBest, 0);
  EXPECT_NE(tables.sums[3].kind & kSumNotesBest, 0);
}

TEST(SliceTables, ShiftTheInputsOfReplicas) {
  const Made made(loopedBundle(), std::vector<char>(9, 1), false, {2, 3, 1});
  const SliceTables &tables = made.tables;
  EXPECT_EQ(tables.loops[0].slices, 2);
  EXPECT_EQ(tables.loops[1].slices, 3);
  EXPECT_EQ(tables.loops[2].slices, 1);
  EXPECT_EQ(tables.loops[0].moveCount, 2 * 2);
  ASSERT_EQ(tables.loops[1].moveCount, 2 * 3);
  std::vector<std::pair<int32_t, int32_t>> shifts;
  for (int32_t i = 0; i < 6; ++i) {
    const GpuSliceMove &move = tables.moves[static_cast<size_t>(tables.loops[1].firstMove + i)];
    const auto first = static_cast<size_t>(move.firstStride);
    EXPECT_EQ(move.table, kInputs + made.buffers.offsetBytes(BufferId(size_t{0})));
    shifts.emplace_back(tables.strides[first].shift, tables.strides[first + 1].shift);
  }
  EXPECT_EQ(shifts, (std::vector<std::pair<int32_t, int32_t>>{
                        {0, 0}, {0, 1}, {0, 2}, {1, 0}, {1, 1}, {1, 2}}));
}

TEST(SliceTables, AddTheReplicasOfASumInTheirOrder) {
  const Made made(loopedBundle(), std::vector<char>(9, 1), false, {2, 3, 1});
  const SliceTables &tables = made.tables;
  ASSERT_EQ(tables.sums.size(), 2 + 2 + 1u) << "the inner sum for two slices of the outer loop";
  std::vector<int32_t> rows;
  for (size_t i = 0; i < 2; ++i) {
    const GpuSumTask &inner = tables.sums[i];
    rows.push_back(inner.bestRow);
    EXPECT_EQ(inner.operation, 3);
    ASSERT_EQ(inner.sliceCount, 3);
    for (int32_t r = 0; r < 3; ++r) {
      const auto at = static_cast<size_t>(inner.firstSlice + r);
      const auto replica = made.program.first[2] + 3 * i + static_cast<size_t>(r);
      EXPECT_EQ(static_cast<uint32_t>(tables.slices[at].state),
                made.bundle.operations[replica].result.buffer.value);
    }
  }
  EXPECT_NE(tables.sums[0].sum, tables.sums[1].sum);
  EXPECT_NE(rows[0], rows[1]);
  EXPECT_EQ(tables.sums[2].sliceCount, 2);
  EXPECT_EQ(tables.sums[4].sliceCount, 1);
  EXPECT_NE(tables.sums[0].kind & kSumNotesBest, 0);
  const SliceRows all(made.program);
  EXPECT_EQ(all.count(), 1 + 2 + 1u);
  EXPECT_EQ(all.rowOf(2, {1, 2, 0}), 2u);
  EXPECT_EQ(all.rowOf(3, {1, 2, 0}), 3u);
}

TEST(SliceTables, AreGoneThroughByAsManyThreadsAsTheyAreLong) {
  GpuSliceLoop loop;
  EXPECT_EQ(enterThreads(loop), 256u);
  loop.resetCount = 257;
  EXPECT_EQ(enterThreads(loop), 288u);
  loop.moveCount = 5000;
  EXPECT_EQ(enterThreads(loop), 1024u);
}

TEST(SliceTables, CutLargeSums) {
  Bundle bundle = loopedBundle();
  const uint64_t elems = 2 * kSumChunkElems + 1;
  bundle.buffers[bundle.operations[8].result.buffer.index()].sizeElems = elems;
  const Made made(bundle);
  const SliceTables::Group &group = made.tables.groups.back();
  EXPECT_EQ(group.chunkCount, 3u);
  EXPECT_EQ(made.tables.chunks.back().first, 2 * kSumChunkElems);
  EXPECT_EQ(made.tables.chunks.back().end, elems);
  EXPECT_EQ(made.tables.sums.back().chunkCount, 3);
}

} // namespace
} // namespace mpf
