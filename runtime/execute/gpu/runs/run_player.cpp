#include "runtime/execute/gpu/runs/run_player.h"

#include "dsl/support/error.h"

#include <utility>

namespace mpf {

RunPlayer::RunPlayer(const CudaDevice &device, const GpuStates &states, GpuLauncher &launcher,
                     InputUploads &inputs, ResultDownloads &results, SlicePlayer *slices,
                     DriverRefusals &refusals)
    : device_(device), states_(states), launcher_(launcher), inputs_(inputs), results_(results),
      slices_(slices), refusals_(refusals) {}

void RunPlayer::start(GpuPlan &plan) {
  if (!replay(plan))
    play(plan, false);
}

/// Replays a run that recurs as one graph.
bool RunPlayer::replay(GpuPlan &plan) {
  if (!plan.fitsGraph() || !std::exchange(plan.ranBefore, true))
    return false;
  std::optional<GpuPlan::RecordedRun> &recorded = plan.recorded[inputs_.waits() ? 1 : 0];
  if (!recorded)
    record(plan, recorded);
  if (!recorded)
    return false;
  if (inputs_.waits())
    inputs_.sendGroups(plan.transfers);
  recorded->graph.launch();
  launcher_.setChained(recorded->chained);
  results_.setStarted(recorded->bringsDown);
  return true;
}

/// Records a run. Some drivers may refuse to record launches that wait for outside copies; then
/// later runs do not wait. Others may refuse launches that overlap: then cooperative launches stop
/// overlapping from the next run on. If that does not help, the program runs launch by launch.
void RunPlayer::record(GpuPlan &plan, std::optional<GpuPlan::RecordedRun> &recorded) {
  if (refusals_.graphs)
    return;
  try {
    recorded.emplace(device_, [&] { play(plan, true); });
    recorded->chained = launcher_.chained();
    recorded->bringsDown = results_.areStarted();
  } catch (const Error &error) {
    if (error.kind() != ErrorKind::Device)
      throw;
    if (inputs_.waits())
      inputs_.refuseWaits();
    else
      refusals_.graphs = !device_.endCooperativeOverlap();
    launcher_.begin();
    launcher_.releaseNext();
    results_.setStarted(false);
  }
}

void RunPlayer::reset(const GpuPlan &plan) const {
  states_.reset(plan.resets);
  if (slices_ != nullptr)
    slices_->reset();
}

void RunPlayer::playLaunches(GpuPlan &plan, bool isRecorded) {
  const std::vector<Launch> &launches = plan.launches.launches;
  for (size_t i = 0; i < launches.size(); ++i) {
    if (inputs_.await(plan.transfers, i, isRecorded))
      launcher_.holdNext(); // its kernel may not fetch anything before
    launcher_.launch(plan, launches[i]);
    results_.startBehind(plan, i);
  }
  launcher_.releaseNext();
}

void RunPlayer::play(GpuPlan &plan, bool isRecorded) {
  reset(plan);
  if (slices_ != nullptr)
    slices_->play(plan, isRecorded);
  else
    playLaunches(plan, isRecorded);
  results_.startLast(plan);
}

} // namespace mpf
