// SLICE STEPS: what a run of a sliced program plays on a GPU, as plain data: stretches of a launch
// plan, sums of slices, and the loops around them.
#pragma once

#include "runtime/schedule/launches/launch_plan.h"
#include "runtime/schedule/slices/replicate_slices.h"

#include <cstdint>
#include <vector>

namespace mpf {

struct SliceStep {
  enum class Kind { Launches, Sums, Loop };
  Kind kind = Kind::Launches;
  uint32_t first = 0, end = 0; ///< launches of the plan
  uint32_t sums = 0;           ///< index into SliceSteps::sums
  uint32_t loop = 0;           ///< counted from 1
  uint32_t passes = 1;         ///< of the loop
  uint32_t slices = 1;         ///< of a pass, side by side
  std::vector<SliceStep> body; ///< of each pass, between the launches that enter its slices
  /// Launches that the step consists of, all passes of a loop, each entered by one of its own; at
  /// most kManyLaunches.
  uint64_t launches = 0;
  /// They are the same whatever the states of the loops: none has an address of its own that moves
  /// with the slices. So they can be recorded once and replayed.
  bool areSame = true;

  uint64_t launchesOfPass() const;
  /// Of a loop: each pass ends by adding its slices, which one launch can do with entering the next
  /// ones.
  bool endsInSums() const { return !body.empty() && body.back().kind == Kind::Sums; }
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

/// `plan`: of the replicated bundle. `runs`: one flag per operation of it, those that the plan was
/// made for.
SliceSteps buildSliceSteps(const ReplicatedBundle &program, const LaunchPlan &plan,
                           const std::vector<char> &runs);

/// How many passes of the loop one CUDA graph should hold, all of them or some, each with the step
/// to the next one; 0: it runs launch by launch. `loopRuns`: how often the loop begins in a run. A
/// graph pays where it holds so many launches that its own start is little beside them, and is
/// replayed so often that making it is little too.
uint32_t passesInGraph(const SliceStep &loop, uint64_t loopRuns);

} // namespace mpf
