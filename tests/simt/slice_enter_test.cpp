// Entering slices in the checker: addresses equal sliceOffsetElems, states and counters of a loop's
// operations are reset, and faults of the slice before are noted.
#include "runtime/schedule/launches/build_launch_plan.h"
#include "runtime/schedule/walk_steps.h"
#include "tests/simt/slice_device.h"
#include "tests/unit/runtime/execute/gpu/slices/looped_bundle.h"

#include <algorithm>
#include <cstring>
#include <gtest/gtest.h>
#include <memory>

namespace mpf::simt {
namespace {

class SliceEntry : public testing::Test {
protected:
  /// Makes a device that assumes all linear arithmetic and has proven none.
  void make(const Bundle &given, SliceReplicas counts = {}) {
    program_ = replicateSlices(given, std::move(counts));
    runs_ = program_.flagsOf(givenRuns_, true);
    buffers_ = std::make_unique<DeviceBuffers>(bundle_);
    records_ = buildGpuRecords(buildGpuOperationTable(bundle_, *buffers_, 0, 0));
    LaunchOptions options;
    for (size_t i = 0; i < bundle_.buffers.size(); ++i)
      options.inputStates.push_back({0, -1022, 1023, 0});
    options.assumesLinear = true;
    options.runs = runs_;
    const LaunchPlan plan = buildLaunchPlan(bundle_, options);
    const SliceSteps steps = buildSliceSteps(program_, plan, runs_);
    states_.assign(bundle_.buffers.size(), TableState{1, 0, 0, 0});
    initial_.assign(bundle_.buffers.size(), TableState{});
    finished_.assign(2 * bundle_.operations.size(), 7);
    device_ = std::make_unique<SliceDevice>(
        program_, SliceMemory{inputs_, work_, states_, initial_, finished_, records_.units},
        buildSliceTables(program_, {*buffers_, {0, 0}, 0, records_}, runs_,
                         LinearAssumption(bundle_, plan), steps.sums),
        faults_);
  }

  TableState &stateOf(uint32_t operation) {
    return states_[bundle_.operations[operation].result.buffer.index()];
  }
  GpuOperation recordOf(uint32_t operation) const {
    GpuOperation record;
    std::memcpy(static_cast<void *>(&record), &records_.units[records_.first[operation]],
                sizeof(record));
    return record;
  }
  /// Expects operand 0 of the operation at the host's address.
  void expectMoved(uint32_t operation) {
    const BundleAccess &access = bundle_.operations[operation].operands[0];
    const SliceStates states = program_.statesOf(operation, device_->loops);
    const uint64_t offset = sliceOffsetElems(access, states);
    EXPECT_EQ(recordOf(operation).table[0], buffers_->offsetBytes(access.buffer, offset));
    if (bundle_.signedValues) {
      EXPECT_EQ(recordOf(operation).signs[0], buffers_->signOffsetBytes(access.buffer) + offset);
    }
  }

  ReplicatedBundle program_;
  const Bundle &bundle_ = program_.bundle;
  std::vector<char> givenRuns_ = std::vector<char>(9, 1), runs_;
  std::unique_ptr<DeviceBuffers> buffers_;
  GpuRecords records_;
  std::vector<std::byte> inputs_{16}, work_{16};
  std::vector<TableState> states_, initial_;
  std::vector<uint32_t> finished_;
  std::unique_ptr<SliceDevice> device_;
  std::string faults_;
};

TEST_F(SliceEntry, GoesThroughTheLoops) {
  for (const bool isSigned : {false, true}) {
    Bundle bundle = loopedBundle();
    bundle.signedValues = isSigned;
    make(bundle);
    for (int run = 0; run < 2; ++run)
      for (uint32_t outer = 0; outer < 3; ++outer) {
        device_->enter(1);
        EXPECT_EQ(device_->loops, (std::vector<uint32_t>{outer, 3, 4}));
        for (uint32_t inner = 0; inner < 4; ++inner) {
          device_->enter(2);
          EXPECT_EQ(device_->loops, (std::vector<uint32_t>{outer, inner, 4}));
          for (const uint32_t operation : {2u, run == 0 ? 2u : 1u, 4u})
            expectMoved(operation);
        }
      }
    EXPECT_EQ(faults_, "");
  }
}

/// Tests three slices of the inner loop in each of two of the outer loop. A pass with fewer slices
/// repeats the last one.
TEST_F(SliceEntry, GoesThroughPasses) {
  for (const bool isSigned : {false, true}) {
    Bundle bundle = loopedBundle();
    bundle.signedValues = isSigned;
    make(bundle, {2, 3, 1});
    for (int run = 0; run < 2; ++run)
      for (uint32_t outer = 0; outer < 3; outer += 2) {
        device_->enter(1);
        EXPECT_EQ(device_->loops, (std::vector<uint32_t>{outer, 3, 4}));
        for (uint32_t inner = 0; inner < 4; inner += 3) {
          device_->enter(2);
          EXPECT_EQ(device_->loops, (std::vector<uint32_t>{outer, inner, 4}));
          for (uint32_t i = 0; i < bundle_.operations.size(); ++i)
            if (bundle_.operations[i].loop == 1 || bundle_.operations[i].loop == 2)
              expectMoved(i);
        }
      }
    EXPECT_EQ(faults_, "");
  }
}

/// Tests that the next slices are entered after all blocks have added, for any last block.
TEST_F(SliceEntry, IsTheSameBehindSums) {
  make(loopedBundle(), {1, 2, 1});
  device_->enter(1);
  device_->enter(2);
  for (TableState &state : states_)
    state = {0, 1, 1, 0};
  const SliceSumGroup inner{2, {program_.first[3], program_.first[3] + 1}};
  const std::vector<double> twos(bundle_.workArenaBytes / sizeof(double), 2.0);
  work_.resize(twos.size() * sizeof(double));
  std::memcpy(work_.data(), twos.data(), work_.size());
  device_->step(inner, 0);
  EXPECT_EQ(device_->loops, (std::vector<uint32_t>{0, 2, 4}));
  for (uint32_t i = 0; i < bundle_.operations.size(); ++i)
    if (program_.original[i] == 2) {
      expectMoved(i);
      EXPECT_EQ(stateOf(i), TableState{}) << i;
      EXPECT_EQ(finished_[i], 0u) << i;
    } else if (program_.original[i] == 3) {
      EXPECT_FALSE(stateOf(i).allZero()) << "what was added is there";
    }
  EXPECT_EQ(faults_, "");
}

TEST_F(SliceEntry, ResetsWhatTheLoopComputesAnew) {
  givenRuns_[4] = 0;
  make(loopedBundle());
  device_->enter(1);
  EXPECT_EQ(faults_, "");
  for (uint32_t i = 0; i < 9; ++i) {
    const bool isReset = i == 1 || i == 2;
    EXPECT_EQ(stateOf(i), isReset ? TableState{} : (TableState{1, 0, 0, 0})) << i;
    EXPECT_EQ(finished_[i], isReset ? 0u : 7u) << i;
    EXPECT_EQ(finished_[9 + i], isReset ? 0u : 7u) << "of the phase that begins with " << i;
  }
}

TEST_F(SliceEntry, NotesThatAnAssumptionDidNotHold) {
  make(loopedBundle(true));
  ASSERT_EQ(device_->tables().loops[0].productCount, 1);
  device_->enter(1);
  EXPECT_EQ(device_->noted.broken, 0);
  stateOf(3) = {0, -1000, 1000, 0}; // operand of operation 4
  device_->enter(2);
  EXPECT_EQ(device_->noted.broken, 0) << "its loop goes on";
  device_->enter(1);
  EXPECT_EQ(device_->noted.broken, 1);
  stateOf(3) = {};
  device_->enter(1);
  EXPECT_EQ(device_->noted.broken, 1) << "once and for all";
  device_->noted = {};
  stateOf(3).form = 1;
  stateOf(3).minExponent = stateOf(3).maxExponent = 0;
  device_->enter(1);
  EXPECT_EQ(device_->noted.broken, 1) << "in logarithms";
  EXPECT_EQ(faults_, "");
}

TEST_F(SliceEntry, NotesTheFirstOperationWhoseCountsDoNotFit) {
  make(loopedBundle(false, ElementType::U64));
  device_->enter(1);
  EXPECT_EQ(device_->noted.lost, GpuSliceFaults().lost);
  stateOf(4) = stateOf(2) = {0, 0, 64, 0};
  stateOf(1) = {0, 0, 63, 0};
  device_->enter(2);
  device_->enter(1);
  EXPECT_EQ(device_->noted.lost, 2);
  device_->enter(1);
  EXPECT_EQ(device_->noted.lost, 2);
  EXPECT_EQ(faults_, "");
}

TEST_F(SliceEntry, NotesFaultsOfEachReplicaByTheOperationOfAll) {
  make(loopedBundle(true), {3, 1, 1});
  ASSERT_EQ(device_->tables().loops[0].productCount, 3);
  device_->enter(1);
  const auto last = static_cast<uint32_t>(
      std::find(program_.original.rbegin(), program_.original.rend(), 3u).base() -
      program_.original.begin() - 1);
  ASSERT_TRUE(program_.isShifted(last));
  stateOf(last) = {0, -1000, 1000, 0};
  device_->enter(1);
  EXPECT_EQ(device_->noted.broken, 1);
  make(loopedBundle(false, ElementType::U64), {3, 1, 1});
  device_->enter(1);
  for (uint32_t i = 0; i < bundle_.operations.size(); ++i)
    if (program_.shifts[i][0] == 2 && program_.original[i] == 4)
      stateOf(i) = {0, 0, 64, 0};
  device_->enter(1);
  EXPECT_EQ(device_->noted.lost, 4);
  EXPECT_EQ(faults_, "");
}

} // namespace
} // namespace mpf::simt
