#include "runtime/schedule/build_schedule.h"

#include <set>

namespace mpf {

namespace {

/// Returns the buffers that the host reads after a run, ascending. Tables of the traceback are not
/// among them: the device that has them decodes.
std::set<uint32_t> outputBuffers(const Bundle &bundle) {
  std::set<uint32_t> ids;
  for (const BundleOutput &output : bundle.outputs)
    ids.insert(output.buffer.value);
  return ids;
}

} // namespace

void addRuns(const Bundle &bundle, DeviceId device, const std::function<bool(uint32_t)> &runs,
             Schedule &schedule) {
  LoopPosition position(bundle.loops);
  const auto toLoop = [&](uint32_t loop) {
    position.moveTo(
        loop,
        [&](uint32_t end) {
          schedule.steps.push_back({StepKind::EndRepeat, device, end - 1});
        },
        [&](uint32_t begin) {
          schedule.steps.push_back({StepKind::Repeat, device, begin - 1});
        });
  };
  for (uint32_t i = 0; i < bundle.operations.size(); ++i) {
    if (!runs(i))
      continue;
    toLoop(bundle.operations[i].loop);
    schedule.steps.push_back({StepKind::Run, device, i});
  }
  toLoop(0);
}

Schedule buildSchedule(const Bundle &bundle, DeviceId device) {
  Schedule schedule;
  if (device.isGpu())
    for (const BundleInput &input : bundle.inputs)
      schedule.steps.push_back({StepKind::Copy, DeviceId::cpu(), input.buffer.value, device});
  addRuns(
      bundle, device, [](uint32_t) { return true; }, schedule);
  if (device.isGpu())
    for (const uint32_t buffer : outputBuffers(bundle))
      schedule.steps.push_back({StepKind::Copy, device, buffer, DeviceId::cpu()});
  return schedule;
}

} // namespace mpf
