// The slices of GpuProgram: a run goes through its slices on the device, or the host leads it.
#include "runtime/execute/gpu/gpu_program.h"

#include <algorithm>
#include <utility>

namespace mpf {

/// Returns the kernel, without overlap if it follows kernels of slices. A kernel may fetch data
/// before it waits for earlier launches, but kernels of slices write addresses and states.
CudaKernel GpuProgram::behindSteps(CudaKernel kernel) {
  kernel.waits = !std::exchange(isBehindStep_, false) && overlaps_ && kernel.waits;
  return kernel;
}

void GpuProgram::playSteps(std::span<const SliceStep> steps, bool isRecorded) {
  const GpuPlan &plan = plans_.inUse();
  for (const SliceStep &step : steps) {
    isBehindStep_ = true;
    switch (step.kind) {
    case SliceStep::Kind::Launches:
      for (uint32_t i = step.first; i < step.end; ++i)
        launch(plan.launches.launches[i]);
      break;
    case SliceStep::Kind::Sums:
      sliceKernels_->add(*plan.slices, plan.steps.sums[step.sums], step.sums);
      break;
    case SliceStep::Kind::Loop:
      playLoop(step, isRecorded);
      break;
    }
  }
  isBehindStep_ = false;
}

/// Plays all steps. Resets the slice, because the last run may have ended at any.
void GpuProgram::playSlices(bool isRecorded) {
  std::fill(slice_.begin(), slice_.end(), 0);
  playSteps(plans_.inUse().steps.steps, isRecorded);
}

void GpuProgram::enterPass(uint32_t loop) {
  const bool overlaps = !std::exchange(isBehindStep_, false) && overlaps_;
  sliceKernels_->enter(*plans_.inUse().slices, loop, overlaps);
}

/// Plays a pass whose slices have been entered, and enters those of the next pass. The launch that
/// adds up the slices does both if it can.
void GpuProgram::playPass(const SliceStep &loop, uint32_t pass, bool isRecorded) {
  slice_[loop.loop - 1] = pass * loop.slices;
  const GpuPlan &plan = plans_.inUse();
  const std::span<const SliceStep> body(loop.body);
  const bool isLast = pass + 1 == loop.passes;
  if (isLast || !loop.endsInSums() || !SliceKernels::mayStep(*plan.slices, loop.loop)) {
    playSteps(body, isRecorded);
    if (!isLast)
      enterPass(loop.loop);
    return;
  }
  playSteps(body.first(body.size() - 1), isRecorded);
  const uint32_t sums = body.back().sums;
  sliceKernels_->step(*plan.slices, plan.steps.sums[sums], sums);
}

/// Plays passes [first, end). Enters the loop's first pass.
void GpuProgram::playPasses(const SliceStep &loop, uint32_t first, uint32_t end, bool isRecorded) {
  if (first == 0)
    enterPass(loop.loop);
  for (uint32_t pass = first; pass < end; ++pass)
    playPass(loop, pass, isRecorded);
}

/// Plays a loop. A recording contains only launches, no other graphs.
void GpuProgram::playLoop(const SliceStep &loop, bool isRecorded) {
  const uint32_t played = isRecorded ? 0 : playGraphs(loop);
  playPasses(loop, played, loop.passes, isRecorded);
  slice_[loop.loop - 1] = 0;
}

/// Plays passes with a graph of all passes, or of some before the last one, which enters no other.
/// Returns the number of played passes.
uint32_t GpuProgram::playGraphs(const SliceStep &loop) {
  const uint32_t inGraph = passesOfGraph(loop);
  if (inGraph == 0)
    return 0;
  const bool isWhole = inGraph == loop.passes;
  const auto &graphs = plans_.inUse().loopGraphs;
  uint32_t played = 0;
  if (graphs.count(loop.loop) == 0) {
    // Kernels are launched once before they are recorded, because the driver loads them at the
    // first launch.
    played = isWhole ? loop.passes : 1;
    playPasses(loop, 0, played, true);
    recordLoop(loop, inGraph);
  }
  const auto found = graphs.find(loop.loop);
  if (found == graphs.end() || played == loop.passes)
    return played;
  if (isWhole) {
    found->second.launch();
    return loop.passes;
  }
  if (played == 0)
    enterPass(loop.loop);
  for (; played + inGraph < loop.passes; played += inGraph)
    found->second.launch();
  return played;
}

/// Returns the passes of the loop's graph; 0: launch by launch.
uint32_t GpuProgram::passesOfGraph(const SliceStep &loop) const {
  if (graphRefused_)
    return 0;
  const double runs = replicas_.passRuns()[bundle_.loops.parent(loop.loop)];
  return passesInGraph(loop, static_cast<uint64_t>(std::min(runs, double{kManyLaunches})));
}

void GpuProgram::recordLoop(const SliceStep &loop, uint32_t passes) {
  const auto record = [&] {
    isBehindStep_ = true; // a graph begins when all before it has ended
    if (passes == loop.passes)
      enterPass(loop.loop);
    for (uint32_t pass = 0; pass < passes; ++pass)
      playPass(loop, pass, true);
  };
  try {
    plans_.inUse().loopGraphs.try_emplace(loop.loop, device_, record);
  } catch (const Error &error) {
    if (error.kind() != ErrorKind::Device)
      throw;
    graphRefused_ = true;
  }
}

void GpuProgram::setBestSlices(std::span<const uint32_t> noted) {
  sliceKernels_->uploadBest(noted);
  synchronize();
}

void GpuProgram::beginSlices(bool grouped) {
  assumes_ = false;
  prepareRun({grouped, false, true, true, false});
  resetPlanned();
  std::fill(slice_.begin(), slice_.end(), 0);
  resetLoops(0);
}

void GpuProgram::enterSlice(const SliceStates &states) {
  const SliceStates before = std::exchange(slice_, states);
  uint32_t reset = 0;
  // Outer loops come before those inside them. A loop that has ended is back at 0; it runs again
  // only after a loop around it moves on. Siblings may change together: if only one slice runs, the
  // next loop starts at its state in that slice, not at 0.
  for (uint32_t loop = 1; loop <= states.size(); ++loop) {
    if (states[loop - 1] == before[loop - 1] || states[loop - 1] == 0 ||
        (reset != 0 && bundle_.loops.contains(reset, loop)))
      continue;
    resetLoops(loop);
    reset = loop;
  }
}

/// Prepares the operations in `loop` (0: any) and inside it to run again: neutral states, counters
/// at 0, operands at the entries of this slice.
void GpuProgram::resetLoops(uint32_t loop) {
  std::vector<GpuOperation> &table = table_.operations;
  uint32_t first = static_cast<uint32_t>(table.size()), end = 0;
  std::vector<size_t> results;
  for (uint32_t i = 0; i < table.size(); ++i) {
    const BundleOperation &operation = bundle_.operations[i];
    if (operation.loop == 0 || !bundle_.loops.contains(loop, operation.loop) ||
        replicas_.isShifted(i))
      continue; // prepareRun resets operations outside of all loops
    first = std::min(first, i);
    end = i + 1;
    for (size_t slot = 0; slot < operation.operands.size(); ++slot) {
      const BundleAccess &access = operation.operands[slot];
      if (access.sliceStridesElems.empty())
        continue;
      table[i].table[slot] = addressOf(access, slice_);
      if (table[i].signs[slot] != 0)
        table[i].signs[slot] = inputs_.address() + buffers_.signOffsetBytes(access.buffer) +
                               sliceOffsetElems(access, slice_);
    }
    recordTable_.set(i, table[i]);
    if (!operation.accumulates)
      results.push_back(operation.result.buffer.index());
  }
  resetStates(results);
  if (first < end) {
    operations_.upload(&table[first], (end - first) * sizeof(GpuOperation),
                       first * sizeof(GpuOperation));
    const uint64_t record = recordTable_.first[first];
    records_.upload(recordTable_.units.data() + record,
                    (recordTable_.first[end] - record) * sizeof(GpuRecordUnit),
                    record * sizeof(GpuRecordUnit));
  }
  run_.fill(0, counterBytes(), stateBytes_);
  device_.synchronize(); // the tables change with the next slice
}

void GpuProgram::runOperation(uint32_t index, double *timeUs) {
  const GpuPlan &plan = plans_.inUse();
  const GpuPlan::DueLaunches &due = plan.due[replicas_.first[index]];
  if (due.begins)
    nextLaunch_ = due.first;
  const auto launchAll = [&] {
    for (; nextLaunch_ < due.end; ++nextLaunch_)
      launch(plan.launches.launches[nextLaunch_]);
  };
  if (timeUs == nullptr)
    return launchAll();
  const CudaEvent begin(device_), end(device_);
  begin.record();
  launchAll();
  end.record();
  device_.synchronize();
  *timeUs += end.microsecondsSince(begin);
}

} // namespace mpf
