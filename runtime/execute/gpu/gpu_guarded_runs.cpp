// The runs of GpuProgram that nobody looks at. Their launches assume linear arithmetic to be exact,
// as those of other runs do; then the device itself looks whether it was, and where it was not, a
// branch of the same CUDA graph runs all once more by the plan without the assumption. What the two
// begin with is the same: inputs and their states, which no launch writes.
#include "dsl/support/check.h"
#include "dsl/support/error.h"
#include "runtime/execute/gpu/gpu_program.h"
#include "runtime/schedule/launches/linear_assumption.h"

#include <algorithm>
#include <utility>

namespace mpf {

namespace {

constexpr GpuPlans::Kind kCareful{true, false, false, false};
constexpr GpuPlans::Kind kAssuming{true, true, false, false};

/// Guard and branch take as long as a few launches. A chain as one kernel spares passes over
/// memory too.
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

/// As long as it lives a flag has another value.
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
      throw; // else the driver lacks the function that sets conditions
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

/// From the first run on, though that takes the time to record it: the chains of the two plans
/// round differently, and the same inputs are to give the same bits in every run.
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

/// What a driver may refuse is tried in turn: kernels that it loads when they are first launched;
/// launches that overlap in branches, which are seldom played; cooperative ones that do, anywhere.
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
