#include "runtime/execute/gpu/runs/slice_player.h"

#include "dsl/support/check.h"
#include "dsl/support/error.h"

#include <algorithm>

namespace mpf {

SlicePlayer::SlicePlayer(const CudaDevice &device, const ReplicatedBundle &program,
                         const SliceKernels &kernels, GpuLauncher &launcher,
                         DriverRefusals &refusals)
    : device_(device), program_(program), kernels_(kernels), launcher_(launcher),
      refusals_(refusals) {}

/// Resets the slice, because the last run may have ended at any.
void SlicePlayer::play(GpuPlan &plan, bool isRecorded) {
  MPF_CHECK(plan.slices.has_value(), "plan {} has no tables of slices", plan.number);
  launcher_.setSlice(SliceStates(program_.bundle.sliced.size(), 0));
  playSteps(plan, plan.steps.steps, isRecorded);
}

void SlicePlayer::playSteps(GpuPlan &plan, std::span<const SliceStep> steps, bool isRecorded) {
  for (const SliceStep &step : steps) {
    launcher_.holdNext();
    switch (step.kind) {
    case SliceStep::Kind::Launches:
      for (uint32_t i = step.first; i < step.end; ++i)
        launcher_.launch(plan, plan.launches.launches[i]);
      break;
    case SliceStep::Kind::Sums:
      kernels_.add(*plan.slices, plan.steps.sums[step.sums], step.sums);
      break;
    case SliceStep::Kind::Loop:
      playPasses(plan, step, isRecorded ? 0 : playGraphs(plan, step), step.passes, isRecorded);
      launcher_.setLoopState(step.loop, 0);
      break;
    }
  }
  launcher_.releaseNext();
}

void SlicePlayer::enterPass(const GpuPlan &plan, uint32_t loop) {
  kernels_.enter(*plan.slices, loop, launcher_.nextMayOverlap());
}

/// Plays a pass whose slices have been entered, and enters those of the next pass. The launch that
/// adds up the slices does both if it can.
void SlicePlayer::playPass(GpuPlan &plan, const SliceStep &loop, uint32_t pass, bool isRecorded) {
  launcher_.setLoopState(loop.loop, pass * loop.slices);
  const std::span<const SliceStep> body(loop.body);
  const bool isLast = pass + 1 == loop.passes;
  if (isLast || !loop.endsInSums() || !SliceKernels::mayStep(*plan.slices, loop.loop)) {
    playSteps(plan, body, isRecorded);
    if (!isLast)
      enterPass(plan, loop.loop);
    return;
  }
  playSteps(plan, body.first(body.size() - 1), isRecorded);
  const uint32_t sums = body.back().sums;
  kernels_.step(*plan.slices, plan.steps.sums[sums], sums);
}

/// Plays passes [first, end). Enters the loop's first pass.
void SlicePlayer::playPasses(GpuPlan &plan, const SliceStep &loop, uint32_t first, uint32_t end,
                             bool isRecorded) {
  if (first == 0)
    enterPass(plan, loop.loop);
  for (uint32_t pass = first; pass < end; ++pass)
    playPass(plan, loop, pass, isRecorded);
}

/// Plays passes with a graph of all passes, or of some before the last one, which enters no other.
/// Returns the number of played passes.
uint32_t SlicePlayer::playGraphs(GpuPlan &plan, const SliceStep &loop) {
  const uint32_t inGraph = passesOfGraph(loop);
  if (inGraph == 0)
    return 0;
  const bool isWhole = inGraph == loop.passes;
  const auto &graphs = plan.loopGraphs;
  uint32_t played = 0;
  if (graphs.count(loop.loop) == 0) {
    // Kernels are launched once before they are recorded, because the driver loads them at the
    // first launch.
    played = isWhole ? loop.passes : 1;
    playPasses(plan, loop, 0, played, true);
    recordLoop(plan, loop, inGraph);
  }
  const auto found = graphs.find(loop.loop);
  if (found == graphs.end() || played == loop.passes)
    return played;
  if (isWhole) {
    found->second.launch();
    return loop.passes;
  }
  if (played == 0)
    enterPass(plan, loop.loop);
  for (; played + inGraph < loop.passes; played += inGraph)
    found->second.launch();
  return played;
}

/// Returns the passes of the loop's graph; 0: launch by launch.
uint32_t SlicePlayer::passesOfGraph(const SliceStep &loop) const {
  if (refusals_.graphs)
    return 0;
  const double runs = program_.passRuns()[program_.bundle.loops.parent(loop.loop)];
  return passesInGraph(loop, static_cast<uint64_t>(std::min(runs, double{kManyLaunches})));
}

void SlicePlayer::recordLoop(GpuPlan &plan, const SliceStep &loop, uint32_t passes) {
  const auto record = [&] {
    launcher_.holdNext(); // a graph begins when all before it has ended
    if (passes == loop.passes)
      enterPass(plan, loop.loop);
    for (uint32_t pass = 0; pass < passes; ++pass)
      playPass(plan, loop, pass, true);
  };
  try {
    plan.loopGraphs.try_emplace(loop.loop, device_, record);
  } catch (const Error &error) {
    if (error.kind() != ErrorKind::Device)
      throw;
    refusals_.graphs = true;
  }
}

} // namespace mpf
