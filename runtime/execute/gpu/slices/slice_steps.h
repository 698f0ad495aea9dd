// SLICE STEPS: what a run of a sliced program plays on a GPU, as plain data: stretches of a launch
// plan, sums of slices, and the loops around them.
#pragma once

#include "codegen/bundle/bundle.h"
#include "runtime/schedule/launch_plan.h"

#include <cstdint>
#include <vector>

namespace mpf {

struct SliceStep {
  enum class Kind { Launches, Sums, Loop };
  Kind kind = Kind::Launches;
  uint32_t first = 0, end = 0; ///< launches of the plan
  uint32_t sums = 0;           ///< index into SliceSteps::sums
  uint32_t loop = 0;           ///< counted from 1
  uint32_t extent = 1;         ///< of the loop
  std::vector<SliceStep> body; ///< of each of its slices, behind the launch that enters the slice
  /// Launches that the step consists of, all slices of a loop; at most kManyLaunches.
  uint64_t launches = 0;
  /// They are the same whatever the states of the loops: none has an address of its own that moves
  /// with the slices. So they can be recorded once and replayed.
  bool areSame = true;

  uint64_t launchesOfSlice() const;
};
inline constexpr uint64_t kManyLaunches = uint64_t{1} << 40;

/// Accumulating operations that one launch carries out: they follow each other in a loop.
struct SliceSumGroup {
  uint32_t loop = 0; ///< counted from 1
  std::vector<uint32_t> operations;
};

struct SliceSteps {
  std::vector<SliceStep> steps;
  std::vector<SliceSumGroup> sums;
  uint64_t launches() const; ///< of all steps; at most kManyLaunches
};

/// `runs`: one flag per operation, those that the plan was made for.
SliceSteps buildSliceSteps(const Bundle &bundle, const LaunchPlan &plan,
                           const std::vector<char> &runs);

/// How many slices of the loop one CUDA graph should hold; 0: it runs launch by launch. `loopRuns`:
/// how often the loop begins in a run. A graph pays where it holds so many launches that its own
/// start is little beside them, and is replayed so often that making it is little too.
uint32_t slicesInGraph(const SliceStep &loop, uint64_t loopRuns);

} // namespace mpf
