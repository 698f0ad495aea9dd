#include "runtime/schedule/slices/choose_replicas.h"

#include "runtime/schedule/launches/build_launch_plan.h"

#include <algorithm>
#include <utility>

namespace mpf {

namespace {

/// Greatest number of operations in all replicas, because launches are planned for each.
constexpr uint64_t kMostOperations = 8192;
/// Operations and operands that enter a slice in one round; each takes a chain of loads.
constexpr uint64_t kRoundListed = 1024;
/// Greatest number of these for which the launch that adds slices up enters the next ones too.
constexpr uint64_t kStepListed = 256;
/// Least relative gain for more slices side by side. Smaller gains are within prediction errors.
constexpr double kLeastGain = 0.02;

/// A launch of one slice, with the parts of its time that grow with the number of slices.
struct SliceLaunch {
  double launchUs = 0;
  uint64_t listed = 0;           ///< operations and operands that enter a slice in this launch
  double kernelUs = 0;           ///< time of a kernel that fills the device
  std::vector<PhaseWork> phases; ///< phases of a launch of levels

  double timeUs(uint64_t replicas, const LevelSpeed &speed) const {
    const auto times = static_cast<double>(replicas);
    const uint64_t rounds = std::max<uint64_t>(ceilDivide(listed * replicas, kRoundListed), 1);
    double timeUs = launchUs * static_cast<double>(rounds) + kernelUs * times;
    for (PhaseWork phase : phases) {
      for (BlockWork &block : phase.blocks)
        block.count *= static_cast<uint32_t>(replicas);
      phase.lines *= times;
      phase.bytes *= times;
      timeUs += phaseUs(phase, speed);
    }
    return timeUs;
  }
};

class ReplicaChoice {
public:
  ReplicaChoice(const Bundle &bundle, const ReplicaOptions &options)
      : bundle_(bundle), options_(options), sliceBytes_(sliceBytesOf(bundle)),
        operations_(bundle.loops.count() + 1, 0), endsInSums_(loopsEndingInSums(bundle)),
        launches_(bundle.loops.count() + 1), counts_(bundle.sliced.size(), 1) {
    for (const BundleOperation &operation : bundle.operations)
      ++operations_[operation.loop];
  }

  SliceReplicas given() {
    for (uint32_t loop = bundle_.loops.count(); loop > 0; --loop) {
      counts_[loop - 1] = std::min({options_.atOnce, extent(loop), kMostReplicas});
      if (!fits(counts_))
        counts_[loop - 1] = 1;
    }
    return counts_;
  }

  /// Improves the counts greedily: sets the best count of the loop that gains most, until none
  /// gains.
  SliceReplicas quickest() {
    addLaunches();
    for (double leastUs = timeUs(counts_);;) {
      SliceReplicas best;
      for (uint32_t loop = bundle_.loops.count(); loop > 0; --loop)
        for (uint32_t count = 1; count <= std::min(extent(loop), kMostReplicas); ++count) {
          SliceReplicas other = counts_;
          other[loop - 1] = count;
          const uint64_t passes = ceilDivide(extent(loop), count);
          if (ceilDivide(extent(loop), passes) < count || !fits(other)) // fewer need no more passes
            continue;
          const double otherUs = timeUs(other);
          if (otherUs < leastUs * (1 - kLeastGain)) {
            leastUs = otherUs;
            best = std::move(other);
          }
        }
      if (best.empty())
        return counts_;
      counts_ = std::move(best);
    }
  }

private:
  uint32_t extent(uint32_t loop) const {
    return bundle_.variables[bundle_.sliced[loop - 1].index()].extent;
  }

  bool fits(const SliceReplicas &counts) const {
    const std::vector<uint64_t> replicas = replicasByLoop(bundle_, counts);
    uint64_t bytes = 0, operations = 0;
    for (uint32_t loop = 1; loop < replicas.size(); ++loop) {
      bytes = saturatingAdd(bytes, saturatingMul(sliceBytes_[loop], replicas[loop] - 1));
      operations = saturatingAdd(operations, saturatingMul(operations_[loop], replicas[loop]));
    }
    return replicas == std::vector<uint64_t>(replicas.size(), 1) ||
           (bytes <= options_.mostBytes && operations <= kMostOperations);
  }

  void addLaunches() {
    LaunchOptions launches;
    launches.inputStates = rangesOfInputs(bundle_);
    launches.waits = waitingKernels(bundle_);
    launches.multiprocessors = options_.speed.multiprocessors;
    launches.assumesLinear = true;
    launches.hostLooks = false;
    launches.joins.which = JoinLevels::Off;
    const LaunchPlan plan = buildLaunchPlan(layApart(bundle_), launches);
    for (const Launch &launch : plan.launches)
      launches_[bundle_.operations[launch.first].loop].push_back(launchOf(plan, launch));
    const SliceLaunch own{options_.speed.sliceLaunchUs, 0, 0, {}};
    uint32_t sumsOf = 0; // the loop of the sums before, which share a launch
    for (uint32_t loop = 1; loop < launches_.size(); ++loop) {
      launches_[loop].push_back(own); // enters a slice
      for (const BundleOperation &operation : bundle_.operations)
        if (operation.loop == loop)
          launches_[loop].back().listed += std::max<size_t>(operation.operands.size(), 1);
    }
    for (const BundleOperation &operation : bundle_.operations) {
      if (operation.accumulates && operation.loop != sumsOf)
        launches_[operation.loop].push_back(own);
      sumsOf = operation.accumulates ? operation.loop : 0;
    }
  }

  SliceLaunch launchOf(const LaunchPlan &plan, const Launch &launch) const {
    SliceLaunch made{options_.speed.launchUs, 0, 0, {}};
    if (launch.kind == LaunchKind::Level)
      made.phases = workOf(bundle_, plan.mappings[launch.mapping]);
    if (launch.kind == LaunchKind::Specialised)
      made.kernelUs = kernelUs(*bundle_.operations[launch.first].kernel);
    if (launch.kind == LaunchKind::Chain)
      for (const BundleChain &chain : bundle_.chains)
        made.kernelUs += chain.first == launch.first ? kernelUs(chain.kernel) : 0;
    return made;
  }

  double kernelUs(uint32_t kernel) const {
    return options_.speed.launchUs + kSpecialisedFactor * bundle_.kernels[kernel].predictedUs;
  }

  double timeUs(const SliceReplicas &counts) const {
    const std::vector<uint64_t> replicas = replicasByLoop(bundle_, counts);
    const std::vector<double> passes = bundle_.loops.runs([&](uint32_t loop) {
      return static_cast<double>(ceilDivide(extent(loop), counts[loop - 1]));
    });
    double sumUs = 0;
    for (uint32_t loop = 1; loop < launches_.size(); ++loop)
      for (const SliceLaunch &launch : launches_[loop]) {
        const uint64_t listed = launch.listed * replicas[loop];
        const bool isStep = listed != 0 && listed <= kStepListed && endsInSums_[loop];
        sumUs += passes[isStep ? bundle_.loops.parent(loop) : loop] *
                 launch.timeUs(replicas[loop], options_.speed);
      }
    return sumUs;
  }

  const Bundle &bundle_;
  const ReplicaOptions &options_;
  const std::vector<uint64_t> sliceBytes_;         ///< by loop
  std::vector<uint64_t> operations_;               ///< number of operations directly in each loop
  const std::vector<bool> endsInSums_;             ///< by loop
  std::vector<std::vector<SliceLaunch>> launches_; ///< launches of one slice, by loop
  SliceReplicas counts_;
};

} // namespace

SliceReplicas chooseReplicas(const Bundle &bundle, const ReplicaOptions &options) {
  if (bundle.sliced.empty() || options.atOnce == 1)
    return SliceReplicas(bundle.sliced.size(), 1);
  ReplicaChoice choice(bundle, options);
  return options.atOnce != 0 ? choice.given() : choice.quickest();
}

ReplicatedBundle replicateForGpu(const Bundle &bundle, const ReplicaOptions &options) {
  ReplicatedBundle program = replicateSlices(bundle, chooseReplicas(bundle, options));
  const uint64_t takenBytes = std::min(program.furtherBytes, kApartBytes);
  program.bundle = layApart(std::move(program.bundle), kApartBytes - takenBytes);
  return program;
}

} // namespace mpf
