// The runs of GpuProgram: launch by launch, or as one graph.
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

/// Replays a run that recurs as one graph.
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

/// Records a run. Some drivers may refuse to record launches that wait for outside copies; then
/// later runs do not wait. Others may refuse launches that overlap: then cooperative launches stop
/// overlapping from the next run on. If that does not help, the program runs launch by launch.
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

/// Starts resets, launches and downloads. Copies to unlocked memory would block the host, so
/// finish() starts them.
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
