#include "runtime/execute/gpu/slices/slice_steps.h"

#include "codegen/bundle/chain_tables.h"
#include "dsl/support/counts.h"
#include "runtime/schedule/launches/launch_use.h"
#include "runtime/schedule/launches/operation_levels.h"

#include <algorithm>

namespace mpf {

namespace {

/// The usual number of launches of a graph. A launch takes the device 1 us, the start of a graph 3
/// us.
constexpr uint64_t kGraphLaunches = 256;
/// The most launches of a graph of one pass: larger graphs take much memory of the driver.
constexpr uint64_t kMostGraphLaunches = 4096;
/// The least replays and replayed launches: making a graph takes as long as some replays.
constexpr uint64_t kLeastReplays = 4, kLeastReplayedLaunches = 512;

bool moves(const BundleAccess &access) {
  return std::any_of(access.sliceStridesElems.begin(), access.sliceStridesElems.end(),
                     [](uint64_t stride) { return stride != 0; });
}

/// True if an argument of the launch is an address that moves. Specialised kernels have addresses
/// as arguments; levels and normalisations read them from memory.
bool isGivenMoving(const Bundle &bundle, const Launch &launch) {
  if (launch.kind == LaunchKind::Chain) {
    const std::vector<const BundleAccess *> operands =
        chainOperands(bundle, *chainAt(bundle, launch.first));
    return std::any_of(operands.begin(), operands.end(),
                       [](const BundleAccess *operand) { return moves(*operand); });
  }
  const BundleOperation &operation = bundle.operations[launch.first];
  return launch.kind == LaunchKind::Specialised &&
         std::any_of(operation.operands.begin(), operation.operands.end(), moves);
}

uint64_t sumOf(const std::vector<SliceStep> &steps) {
  uint64_t launches = 0;
  for (const SliceStep &step : steps)
    launches = std::min(saturatingAdd(launches, step.launches), kManyLaunches);
  return launches;
}

class SliceStepBuilder {
public:
  SliceStepBuilder(const ReplicatedBundle &program, const LaunchPlan &plan,
                   const std::vector<char> &runs)
      : program_(program), bundle_(program.bundle), plan_(plan), runs_(runs),
        stretches_(stretchesOf(bundle_, runs)), position_(bundle_.loops) {}

  SliceSteps build() {
    open_.emplace_back();
    size_t stretch = 0;
    for (uint32_t i = 0; i < bundle_.operations.size(); ++i) {
      const BundleOperation &operation = bundle_.operations[i];
      if (runs_[i] == 0)
        continue;
      const bool begins = operation.accumulates || (stretch < stretches_.size() &&
                                                    stretches_[stretch].operations.front() == i);
      if (!begins)
        continue; // the operation belongs to the stretch before
      moveTo(operation.loop);
      if (operation.accumulates)
        addSum(i);
      else
        addStretch(stretches_[stretch++]);
    }
    moveTo(0);
    steps_.steps = std::move(open_.front().body);
    return std::move(steps_);
  }

private:
  void moveTo(uint32_t loop) {
    position_.moveTo(
        loop,
        [this](uint32_t) {
          SliceStep ended = std::move(open_.back());
          open_.pop_back();
          ended.launches =
              std::min(saturatingMul(ended.launchesOfPass(), ended.passes), kManyLaunches);
          ended.areSame = std::all_of(ended.body.begin(), ended.body.end(),
                                      [](const SliceStep &step) { return step.areSame; });
          open_.back().body.push_back(std::move(ended));
        },
        [this](uint32_t begun) {
          SliceStep &step = open_.emplace_back();
          step.kind = SliceStep::Kind::Loop;
          step.loop = begun;
          step.passes = program_.passes(begun);
          step.slices = program_.counts[begun - 1];
        });
  }

  void addSum(uint32_t operation) {
    std::vector<SliceStep> &body = open_.back().body;
    if (body.empty() || body.back().kind != SliceStep::Kind::Sums) {
      SliceStep step;
      step.kind = SliceStep::Kind::Sums;
      step.sums = static_cast<uint32_t>(steps_.sums.size());
      step.launches = 1;
      body.push_back(std::move(step));
      steps_.sums.push_back({bundle_.operations[operation].loop, {}});
    }
    steps_.sums.back().operations.push_back(operation);
  }

  /// Adds the launches of a stretch; the plan has launches in the order of stretches.
  void addStretch(const Stretch &stretch) {
    SliceStep step;
    step.first = launched_;
    for (; launched_ < plan_.launches.size(); ++launched_) {
      const Launch &launch = plan_.launches[launched_];
      if (!std::binary_search(stretch.operations.begin(), stretch.operations.end(), launch.first))
        break;
      step.areSame = step.areSame && !isGivenMoving(bundle_, launch);
    }
    step.end = launched_;
    step.launches = step.end - step.first;
    open_.back().body.push_back(std::move(step));
  }

  const ReplicatedBundle &program_;
  const Bundle &bundle_;
  const LaunchPlan &plan_;
  const std::vector<char> &runs_;
  const std::vector<Stretch> stretches_;
  LoopPosition position_;
  std::vector<SliceStep> open_; ///< the whole run, then the loops that have not ended
  uint32_t launched_ = 0;
  SliceSteps steps_;
};

} // namespace

uint64_t SliceStep::launchesOfPass() const { return 1 + sumOf(body); }

uint64_t SliceSteps::launches() const { return sumOf(steps); }

SliceSteps buildSliceSteps(const ReplicatedBundle &program, const LaunchPlan &plan,
                           const std::vector<char> &runs) {
  return SliceStepBuilder(program, plan, runs).build();
}

uint32_t passesInGraph(const SliceStep &loop, uint64_t loopRuns) {
  const uint64_t each = loop.launchesOfPass();
  const bool isNested = std::any_of(loop.body.begin(), loop.body.end(), [](const SliceStep &step) {
    return step.kind == SliceStep::Kind::Loop;
  });
  const uint64_t passes = saturatingMul(loopRuns, loop.passes);
  // An inner loop with many launches has separate graphs.
  if (!loop.areSame || each > (isNested ? kGraphLaunches : kMostGraphLaunches) ||
      passes < kLeastReplays || saturatingMul(passes, each) < kLeastReplayedLaunches)
    return 0;
  const uint64_t fitting = std::max<uint64_t>(kGraphLaunches / each, 1);
  return static_cast<uint32_t>(std::min({fitting, passes / kLeastReplays, uint64_t{loop.passes}}));
}

} // namespace mpf
