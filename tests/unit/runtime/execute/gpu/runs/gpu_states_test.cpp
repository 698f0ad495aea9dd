// The states of tables on a fake GPU (tests/support/fake_cuda.cpp), whose copies do copy.
#include "runtime/execute/gpu/runs/gpu_states.h"

#include "tests/unit/runtime/execute/gpu/runs/program_parts.h"
#include "tests/unit/runtime/execute/gpu/scripted_driver.h"

#include <algorithm>
#include <array>

namespace mpf {
namespace {

class GpuStatesOnDevice : public ScriptedDriver {
protected:
  size_t uploads() {
    return static_cast<size_t>(std::ranges::count_if(
        calls(), [](const std::string &call) { return call.starts_with("upload "); }));
  }
};

constexpr TableState kSome{0, -3, 5, 1}, kOther{1, -70, 2, 0};

TEST_F(GpuStatesOnDevice, ResetTheTablesOfARunAndNoOthers) {
  ProgramParts parts(sumsOfInputs(2));
  std::vector<TableState> initial(parts.bundle().buffers.size(), kSome);
  parts.states.setInitial(initial);
  const std::vector<TableState> zeros(initial.size(), TableState{0, 0, 0, 0});
  EXPECT_EQ(parts.states.read(), zeros);
  const std::array<size_t, 1> one = {parts.result(1).index()};
  parts.states.resetTables(one);
  std::vector<TableState> expected = zeros;
  expected[one[0]] = kSome;
  EXPECT_EQ(parts.states.read(), expected);
  const std::array<size_t, 2> both = {parts.input(0).index(), parts.result(0).index()};
  parts.states.reset(parts.states.resetsOf(both));
  for (const size_t buffer : both)
    expected[buffer] = kSome;
  EXPECT_EQ(parts.states.read(), expected);
}

TEST_F(GpuStatesOnDevice, ResetTheCountersToZero) {
  ProgramParts parts(sumsOfInputs(2));
  const uint64_t counters = 2 * parts.bundle().operations.size() * sizeof(uint32_t);
  const std::vector<CopyRange> ranges = parts.states.resetsOf(std::array<size_t, 0>{});
  EXPECT_EQ(ranges, (std::vector<CopyRange>{{parts.states.sizeBytes(), counters}}));
  EXPECT_EQ(parts.states.counters(), parts.states.address() + parts.states.sizeBytes());
}

TEST_F(GpuStatesOnDevice, ChangeTheirNumberOnlyWithTheInitialStates) {
  ProgramParts parts(sumsOfInputs(2));
  std::vector<TableState> initial(parts.bundle().buffers.size(), kSome);
  parts.states.setInitial(initial);
  const uint64_t number = parts.states.initialNumber();
  uploads();
  parts.states.setInitial(initial);
  EXPECT_EQ(parts.states.initialNumber(), number);
  EXPECT_EQ(uploads(), 0u);
  initial.front() = kOther;
  parts.states.setInitial(initial);
  EXPECT_NE(parts.states.initialNumber(), number);
  EXPECT_EQ(parts.states.initial(), initial);
}

TEST_F(GpuStatesOnDevice, OfGivenTablesGoUpTogetherOnlyIfThoseBetweenAreKnown) {
  ProgramParts parts(sumsOfInputs(2));
  const BufferId first = parts.input(0), last = parts.result(1);
  std::vector<TableState> left(parts.bundle().buffers.size(), kSome);
  parts.states.note(left);
  const auto give = [&] {
    parts.states.give(last, kOther);
    parts.states.give(first, kOther);
    uploads();
    parts.states.sendGiven();
    return uploads();
  };
  EXPECT_EQ(give(), 1u);
  left[first.index()] = left[last.index()] = kOther;
  EXPECT_EQ(parts.states.read(), left);
  EXPECT_EQ(give(), 2u); // a run may have changed those between
  parts.states.sendGiven();
  EXPECT_EQ(uploads(), 0u);
}

} // namespace
} // namespace mpf
