#include "runtime/schedule/slices/replicate_slices.h"

#include "codegen/bundle/slice_arenas.h"
#include "tests/unit/runtime/execute/gpu/slices/looped_bundle.h"

#include <algorithm>
#include <fmt/ranges.h>
#include <gtest/gtest.h>
#include <string>
#include <vector>

namespace mpf {
namespace {

/// Returns "2:01" for operation 2 of the bundle, with shifts of 0 and 1 in loops 1 and 2.
std::string orderOf(const ReplicatedBundle &program) {
  std::string text;
  for (uint32_t i = 0; i < program.original.size(); ++i)
    text += fmt::format("{}{}:{}", i == 0 ? "" : " ", program.original[i],
                        fmt::join(program.shifts[i], ""));
  return text;
}

TEST(ReplicateSlices, LeaveABundleAsItIsWithoutCounts) {
  const Bundle given = loopedBundle();
  const ReplicatedBundle program = replicateSlices(given, {});
  EXPECT_EQ(orderOf(program), "0:000 1:000 2:000 3:000 4:000 5:000 6:000 7:000 8:000");
  EXPECT_EQ(program.bundle.buffers.size(), given.buffers.size());
  EXPECT_EQ(program.bundle.workArenaBytes, given.workArenaBytes);
  EXPECT_EQ(program.passes(1), 3u);
  EXPECT_EQ(program.passes(2), 4u);
}

TEST(ReplicateSlices, StandReplicaByReplicaBetweenChangesOfTheLoop) {
  const ReplicatedBundle program = replicateSlices(loopedBundle(), {2, 2, 1});
  EXPECT_EQ(orderOf(program), "0:000 1:000 1:100 2:000 2:010 2:100 2:110 3:000 3:010 3:100 3:110 "
                              "4:000 4:100 5:000 6:000 5:100 6:100 7:000 8:000");
  EXPECT_EQ(program.first, (std::vector<uint32_t>{0, 1, 3, 7, 11, 13, 14, 17, 18}));
  EXPECT_EQ(program.passes(1), 2u) << "three slices";
  EXPECT_EQ(program.passRuns(), (std::vector<double>{1, 2, 4, 5}));
}

TEST(ReplicateSlices, ReadAndWriteTablesOfTheirOwnSlice) {
  const Bundle given = loopedBundle();
  const ReplicatedBundle program = replicateSlices(given, {2, 2, 1});
  const auto find = [&](uint32_t original, SliceStates shifts) -> const BundleOperation & {
    for (uint32_t i = 0;; ++i)
      if (program.original[i] == original && program.shifts[i] == shifts)
        return program.bundle.operations[i];
  };
  const auto result = [&](uint32_t original, SliceStates shifts) {
    return find(original, std::move(shifts)).result.buffer.value;
  };
  for (const uint32_t outer : {0u, 1u})
    for (const uint32_t inner : {0u, 1u}) {
      const BundleOperation &inInner = find(2, {outer, inner, 0});
      EXPECT_EQ(inInner.operands[0].buffer.value, given.operations[2].operands[0].buffer.value);
      EXPECT_EQ(inInner.operands[1].buffer.value, result(1, {outer, 0, 0}));
      const BundleOperation &sum = find(3, {outer, inner, 0});
      EXPECT_EQ(sum.operands[0].buffer.value, inInner.result.buffer.value);
      EXPECT_EQ(sum.result.buffer.value, result(3, {outer, 0, 0})) << "added in the outer slice";
      EXPECT_EQ(find(4, {outer, 0, 0}).operands[1].buffer.value, sum.result.buffer.value);
      EXPECT_EQ(result(5, {outer, 0, 0}), given.operations[5].result.buffer.value);
    }
  EXPECT_NE(result(2, {0, 1, 0}), result(2, {1, 0, 0}));
  EXPECT_NE(result(3, {0, 0, 0}), result(3, {1, 0, 0}));
}

TEST(ReplicateSlices, HaveMemoryOfTheirOwn) {
  Bundle given = loopedBundle();
  given.signedValues = true;
  for (BundleBuffer &buffer : given.buffers) // two of one slice share what they lie on
    if (!buffer.input)
      buffer.offsetBytes = (buffer.offsetBytes + 2 * 256) / 256 * 256;
  given.workArenaBytes += 4096;
  BundleBuffer &inInner = given.buffers[given.operations[2].result.buffer.index()];
  inInner.offsetBytes = given.buffers[given.operations[1].result.buffer.index()].offsetBytes + 8;
  const ReplicatedBundle program = replicateSlices(given, {3, 4, 1});
  const std::vector<BundleBuffer> &buffers = program.bundle.buffers;
  uint64_t bytes = 0;
  const std::vector<uint64_t> each = sliceBytesOf(given);
  const std::vector<uint64_t> replicas = replicasByLoop(given, program.counts);
  EXPECT_EQ(replicas, (std::vector<uint64_t>{1, 3, 12, 1}));
  for (size_t loop = 1; loop < each.size(); ++loop)
    bytes += each[loop] * (replicas[loop] - 1);
  EXPECT_LE(program.bundle.workArenaBytes, (given.workArenaBytes + 255) / 256 * 256 + bytes);
  std::vector<std::pair<uint64_t, uint64_t>> ranges;
  for (size_t i = 0; i < buffers.size(); ++i) {
    if (i < given.buffers.size()) {
      EXPECT_EQ(buffers[i].offsetBytes, given.buffers[i].offsetBytes);
      continue;
    }
    const uint64_t size = bufferBytes(buffers[i].sizeElems, given.type, true);
    EXPECT_GE(buffers[i].offsetBytes, workTableBytes(given));
    EXPECT_LE(buffers[i].offsetBytes + size, program.bundle.workArenaBytes);
    EXPECT_EQ(buffers[i].offsetBytes % 8, 0u);
    ranges.emplace_back(buffers[i].offsetBytes, buffers[i].offsetBytes + size);
  }
  std::sort(ranges.begin(), ranges.end());
  for (size_t i = 1; i < ranges.size(); ++i)
    EXPECT_LE(ranges[i - 1].second, ranges[i].first) << "of another replica or loop";
}

TEST(ReplicateSlices, ComputeTheLastSliceAgainBehindTheEnd) {
  const ReplicatedBundle program = replicateSlices(loopedBundle(), {2, 3, 1});
  const uint32_t last = program.first[3] - 1; // of operation 2: shifts 1, 2
  EXPECT_EQ(program.shifts[last], (SliceStates{1, 2, 0}));
  EXPECT_EQ(program.statesOf(last, {0, 0, 0}), (SliceStates{1, 2, 0}));
  EXPECT_EQ(program.statesOf(last, {2, 3, 0}), (SliceStates{2, 3, 0}));
}

TEST(ReplicateSlices, RunAllOrTheFirstOnes) {
  const ReplicatedBundle program = replicateSlices(loopedBundle(), {2, 1, 1});
  const std::vector<char> given = {0, 1, 1, 0, 0, 0, 0, 0, 1};
  const std::vector<char> all = program.flagsOf(given, true), led = program.flagsOf(given, false);
  EXPECT_EQ(std::count(all.begin(), all.end(), 1), 2 + 2 + 1);
  EXPECT_EQ(std::count(led.begin(), led.end(), 1), 3);
  for (const uint32_t operation : {1u, 2u, 8u})
    EXPECT_EQ(led[program.first[operation]], 1);
}

TEST(ReplicateSlices, KeepChainsTogether) {
  Bundle given = loopedBundle(true);
  given.chains.push_back({1, 1, 0, 0});
  const ReplicatedBundle program = replicateSlices(given, {3, 1, 1});
  ASSERT_EQ(program.bundle.chains.size(), 3u);
  for (const BundleChain &chain : program.bundle.chains)
    EXPECT_EQ(program.original[chain.first], 1u);
  EXPECT_TRUE(
      std::is_sorted(program.bundle.chains.begin(), program.bundle.chains.end(),
                     [](const BundleChain &a, const BundleChain &b) { return a.first < b.first; }));
}

} // namespace
} // namespace mpf
