#include "runtime/execute/gpu/runs/unseen_runs.h"

#include "dsl/support/check.h"
#include "dsl/support/error.h"
#include "runtime/execute/host/bind_input.h"
#include "runtime/schedule/launches/linear_assumption.h"

#include <algorithm>
#include <utility>

namespace mpf {

namespace {

constexpr GpuPlans::Kind kCareful{true, false, false, false};
constexpr GpuPlans::Kind kAssuming{true, true, false, false};

/// True if the assumption saves more than guard and branch cost, which is as much as a few
/// launches. A chain that runs as one kernel saves passes over memory too.
bool paysToAssume(const GpuPlan &assuming, const GpuPlan &careful) {
  constexpr uint64_t kLeastSpared = 4;
  const std::vector<Launch> &launches = assuming.launches.launches;
  return std::any_of(launches.begin(), launches.end(),
                     [](const Launch &launch) {
                       return launch.kind == LaunchKind::Chain &&
                              launch.arithmetic == LaunchArithmetic::Assumed;
                     }) ||
         assuming.launchesOfRun() + kLeastSpared <= careful.launchesOfRun();
}

/// Sets a launcher's overlap during the object's lifetime.
class OverlapForNow {
public:
  OverlapForNow(GpuLauncher &launcher, bool mayOverlap)
      : launcher_(launcher), before_(launcher.setOverlap(mayOverlap)) {}
  ~OverlapForNow() { launcher_.setOverlap(before_); }
  OverlapForNow(const OverlapForNow &) = delete;
  OverlapForNow &operator=(const OverlapForNow &) = delete;

private:
  GpuLauncher &launcher_;
  const bool before_;
};

} // namespace

UnseenRuns::UnseenRuns(const CudaDevice &device, const Bundle &bundle, const GpuStates &states,
                       const SliceKernels *slices, GpuLauncher &launcher, RunSetup &setup,
                       RunPlayer &player, AssumingRuns &assuming, DriverRefusals &refusals)
    : device_(device), bundle_(bundle), states_(states), slices_(slices), launcher_(launcher),
      setup_(setup), player_(player), assuming_(assuming), refusals_(refusals) {}

void UnseenRuns::compileGuard(KernelStore &store) {
  if (guard_ || !mayAssumeLinear(bundle_) || hasPlainTables(bundle_) ||
      !CudaGraph::branches(device_))
    return;
  const std::vector<CompiledKernel> compiled = store.compileAll(
      {{guardName(bundle_.type), guardSource(bundle_.type), device_.properties().arch}});
  const CudaDevicePointer broken = slices_ != nullptr ? slices_->broken() : 0;
  try {
    guard_.emplace(device_, compiled.front(), GpuGuard::Places{states_.address(), broken});
  } catch (const Error &error) {
    if (error.kind() != ErrorKind::Device)
      throw; // Error(Device) only means that the driver cannot set conditions
  }
}

void UnseenRuns::start() {
  MPF_CHECK(bundle_.sliced.empty() || slices_ != nullptr, "{}: the host would have to lead",
            bundle_.name);
  assuming_.skip();
  if (startGuarded())
    return;
  GpuPlan &plan = setup_.prepare(kCareful);
  launches_ = {plan.launchesOfRun(), 0};
  player_.start(plan);
}

/// Starts a guarded run. Even the first run is recorded, although that takes time: the chains of
/// the two plans round differently, and equal inputs must give equal bits in every run.
bool UnseenRuns::startGuarded() {
  if (!guard_ || refusals_.guards || refusals_.graphs || !setup_.operations().canRunAgain())
    return false;
  GpuPlan &assuming = setup_.prepare(kAssuming);
  GpuPlan &careful = setup_.prepare(kCareful);
  if (!assuming.fitsGraph() || !careful.fitsGraph() || !paysToAssume(assuming, careful))
    return false;
  if (!careful.guarded || careful.guarded->assuming != assuming.number)
    recordGuarded(assuming, careful);
  if (!careful.guarded)
    return false;
  careful.guarded->graph.launch();
  launches_ = {assuming.launchesOfRun(), careful.launchesOfRun()};
  return true;
}

/// Records the guarded graph. If the driver refuses, it tries in turn: launching all kernels
/// before, so that they are loaded; no overlapping launches in the rarely played branch; no
/// overlapping cooperative launches anywhere.
void UnseenRuns::recordGuarded(GpuPlan &assuming, GpuPlan &careful) {
  if (!assuming.guard)
    assuming.guard.emplace(device_, assuming.assumption);
  const auto assumed = [&](CudaCondition condition) {
    player_.play(setup_.prepare(kAssuming), true);
    guard_->launch(*assuming.guard, condition);
  };
  const auto branch = [&] {
    GpuPlan &plan = setup_.prepare(kCareful);
    const OverlapForNow overlap(launcher_, !refusals_.overlapInBranches);
    player_.play(plan, true);
  };
  bool wereLaunched = false;
  const auto changes = [&] {
    if (std::exchange(wereLaunched, true))
      return !std::exchange(refusals_.overlapInBranches, true) || device_.endCooperativeOverlap();
    for (const GpuPlans::Kind &kind : {kAssuming, kCareful})
      player_.play(setup_.prepare(kind), false);
    return true;
  };
  do {
    try {
      careful.guarded.emplace(assuming.number, device_, assumed, branch);
      return;
    } catch (const Error &error) {
      careful.guarded.reset();
      if (error.kind() != ErrorKind::Device)
        throw;
    }
  } while (changes());
  refusals_.guards = true;
}

} // namespace mpf
