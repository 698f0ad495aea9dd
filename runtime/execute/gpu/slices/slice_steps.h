// SLICE STEPS: the steps of a run of a sliced program on a GPU, as plain data: stretches of a
// launch plan, sums of slices, and the loops around them.
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
  uint32_t passes = 1;         ///< passes of the loop
  uint32_t slices = 1;         ///< slices of a pass, side by side
  std::vector<SliceStep> body; ///< steps of each pass, between the launches that enter its slices
  /// Launches of the step; at most kManyLaunches. A loop has those of all passes, with one launch
  /// to enter each.
  uint64_t launches = 0;
  /// True if the launches do not depend on the states of the loops: no argument is an address that
  /// moves with the slices. Then they can be recorded once and replayed.
  bool areSame = true;

  uint64_t launchesOfPass() const;
  /// True for a loop whose passes end by adding their slices: one launch can do that and enter the
  /// next slices.
  bool endsInSums() const { return !body.empty() && body.back().kind == Kind::Sums; }
};
inline constexpr uint64_t kManyLaunches = uint64_t{1} << 40;

/// Consecutive accumulating operations of a loop, which one launch performs.
struct SliceSumGroup {
  uint32_t loop = 0; ///< counted from 1
  std::vector<uint32_t> operations;
};

struct SliceSteps {
  std::vector<SliceStep> steps;
  std::vector<SliceSumGroup> sums;
  uint64_t launches() const; ///< of all steps; at most kManyLaunches
};

/// Builds the steps of a launch plan of the replicated bundle. `runs`: one flag per operation of
/// that bundle, for which the plan was made.
SliceSteps buildSliceSteps(const ReplicatedBundle &program, const LaunchPlan &plan,
                           const std::vector<char> &runs);

/// Returns how many passes of the loop one CUDA graph should have, each with the step to the next
/// one; 0: the loop runs launch by launch. `loopRuns`: how often the loop begins in a run. A graph
/// pays if its launches take much longer than its start, and its replays much longer than making
/// it.
uint32_t passesInGraph(const SliceStep &loop, uint64_t loopRuns);

} // namespace mpf
