// How GpuProgram plays a run: launch by launch, or as one graph.
#include "dsl/support/check.h"
#include "dsl/support/error.h"
#include "runtime/execute/gpu/gpu_program.h"

#include <algorithm>
#include <utility>

namespace mpf {

void GpuProgram::prepareRun(const GpuPlans::Kind &kind, bool mayWaitForInputs) {
  MPF_CHECK(initialStates_.size() == bundle_.buffers.size(), "{}: run before the inputs are bound",
            bundle_.name);
  sendStates();
  usePlan(kind);
  waitsForInputs_ = mayWaitForInputs && chooseUploads(plans_.inUse().transfers);
  if (waitsForInputs_)
    send(kNoGroup);
  else
    sendInputs();
  bringsDown_ = kind.bringsDown;
  std::fill(chained_.begin(), chained_.end(), 0);
  comesDown_ = false;
  outcome_ = {};
}

/// A run that comes once more as it is: one graph of all of it.
bool GpuProgram::replay() {
  GpuPlan &plan = plans_.inUse();
  if (!plan.fitsGraph() || !std::exchange(plan.ranBefore, true))
    return false;
  std::optional<GpuPlan::RecordedRun> &recorded = plan.recorded[waitsForInputs_ ? 1 : 0];
  if (!recorded)
    recordGraph(recorded);
  if (!recorded)
    return false;
  if (waitsForInputs_)
    for (uint32_t g = 0; g < plan.transfers.uploads.size(); ++g)
      send(g);
  recorded->graph.launch();
  chained_ = recorded->chained;
  comesDown_ = recorded->bringsDown;
  return true;
}

/// Some drivers may refuse to record launches that wait for copies outside, others launches that
/// overlap: first the cooperative ones do not any longer, from the next run on; where that is no
/// help the program runs launch by launch.
void GpuProgram::recordGraph(std::optional<GpuPlan::RecordedRun> &recorded) {
  if (graphRefused_)
    return;
  try {
    recorded.emplace(device_, [&] { startAll(true); });
    recorded->chained = chained_;
    recorded->bringsDown = comesDown_;
  } catch (const Error &error) {
    if (error.kind() != ErrorKind::Device)
      throw;
    if (waitsForInputs_)
      waitsRefused_ = true;
    else
      graphRefused_ = !device_.endCooperativeOverlap();
    std::fill(chained_.begin(), chained_.end(), 0);
    comesDown_ = isBehindStep_ = false;
  }
}

void GpuProgram::playLaunches(bool isRecorded) {
  const std::vector<Launch> &launches = plans_.inUse().launches.launches;
  for (size_t i = 0; i < launches.size(); ++i) {
    awaitInputs(i, isRecorded);
    launch(launches[i]);
    startGroupBehind(i);
  }
  isBehindStep_ = false;
}

/// Copies to memory that is not locked hold up the host: finish() begins with them.
void GpuProgram::startAll(bool isRecorded) {
  resetPlanned();
  if (sliceKernels_)
    playSlices(isRecorded);
  else
    playLaunches(isRecorded);
  if (bringsDown_ && down_.isLocked())
    startDownloads(false);
}

void GpuProgram::start() {
  prepareRun(nextKind(), true);
  isStarted_ = true;
  if (std::exchange(hasRun_, true))
    down_.lock();
  if (!replay())
    startAll(false);
}

std::vector<TableState> GpuProgram::finish() {
  std::vector<TableState> states = bringDown();
  if (!wasWrong(states))
    return states;
  start();
  return bringDown();
}

} // namespace mpf
