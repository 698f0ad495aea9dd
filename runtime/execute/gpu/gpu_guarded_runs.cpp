// The unseen runs of GpuProgram, whose results the host does not examine. Their launches assume
// that linear arithmetic is exact, as those of other runs do. The device then checks the
// assumption. If it did not hold, a branch of the same CUDA graph runs everything again by the
// careful plan, without the assumption. Both plans begin with equal inputs and states, which no
// launch writes.
#include "dsl/support/check.h"
#include "dsl/support/error.h"
#include "runtime/execute/gpu/gpu_program.h"
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

/// Sets a flag to another value during the object's lifetime.
class SetForNow {
public:
  SetForNow(bool &flag, bool value) : flag_(flag), before_(std::exchange(flag, value)) {}
  ~SetForNow() { flag_ = before_; }
  SetForNow(const SetForNow &) = delete;
  SetForNow &operator=(const SetForNow &) = delete;

private:
  bool &flag_;
  const bool before_;
};

} // namespace

void GpuProgram::guardUnseen(KernelStore &store) {
  if (guard_ || !mayAssumeLinear(bundle_) || hasPlainTables(bundle_) ||
      !CudaGraph::branches(device_))
    return;
  const std::vector<CompiledKernel> compiled = store.compileAll(
      {{guardName(bundle_.type), guardSource(bundle_.type), device_.properties().arch}});
  const CudaDevicePointer broken = sliceKernels_ ? sliceKernels_->broken() : 0;
  try {
    guard_.emplace(device_, compiled.front(), GpuGuard::Places{run_.address(), broken});
  } catch (const Error &error) {
    if (error.kind() != ErrorKind::Device)
      throw; // Error(Device) only means that the driver cannot set conditions
  }
}

void GpuProgram::startUnseen() {
  MPF_CHECK(bundle_.sliced.empty() || playsSlices(), "{}: the host would have to lead",
            bundle_.name);
  assumes_ = false;
  if (startGuarded())
    return;
  prepareRun(kCareful);
  unseenLaunches_ = {plans_.inUse().launchesOfRun(), 0};
  if (!replay())
    startAll(false);
}

/// Starts a guarded run. Even the first run is recorded, although that takes time: the chains of
/// the two plans round differently, and equal inputs must give equal bits in every run.
bool GpuProgram::startGuarded() {
  if (!guard_ || guardRefused_ || graphRefused_ || !operationsNow_.canRunAgain())
    return false;
  prepareRun(kAssuming);
  GpuPlan &assuming = plans_.inUse();
  prepareRun(kCareful);
  GpuPlan &careful = plans_.inUse();
  if (!assuming.fitsGraph() || !careful.fitsGraph() || !paysToAssume(assuming, careful))
    return false;
  if (!careful.guarded || careful.guarded->assuming != assuming.number)
    recordGuarded(assuming, careful);
  if (!careful.guarded)
    return false;
  careful.guarded->graph.launch();
  unseenLaunches_ = {assuming.launchesOfRun(), careful.launchesOfRun()};
  return true;
}

/// Records the guarded graph. If the driver refuses, it tries in turn: launching all kernels
/// before, so that they are loaded; no overlapping launches in the rarely played branch; no
/// overlapping cooperative launches anywhere.
void GpuProgram::recordGuarded(GpuPlan &assuming, GpuPlan &careful) {
  if (!assuming.guard)
    assuming.guard.emplace(device_, assuming.assumption);
  const auto assumed = [&](CudaCondition condition) {
    prepareRun(kAssuming);
    startAll(true);
    guard_->launch(*assuming.guard, condition);
  };
  const auto branch = [&] {
    prepareRun(kCareful);
    const SetForNow overlap(overlaps_, branchesOverlap_);
    startAll(true);
  };
  bool wereLaunched = false;
  const auto changes = [&] {
    if (std::exchange(wereLaunched, true))
      return std::exchange(branchesOverlap_, false) || device_.endCooperativeOverlap();
    for (const GpuPlans::Kind &kind : {kAssuming, kCareful}) {
      prepareRun(kind);
      startAll(false);
    }
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
  guardRefused_ = true;
}

} // namespace mpf
