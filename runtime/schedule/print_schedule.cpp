#include "runtime/schedule/print_schedule.h"

#include "dsl/support/check.h"
#include "dsl/support/number_text.h"

#include <iterator>
#include <set>

namespace mpf {

namespace {

/// Returns the words for a copy.
std::string copyText(const ScheduleStep &step, bool hasSeveralGpus) {
  if (!step.to.isGpu())
    return "download " + deviceName(step.device, hasSeveralGpus);
  if (!step.device.isGpu())
    return "upload " + deviceName(step.to, hasSeveralGpus);
  return fmt::format("copy {} to {}", deviceName(step.device, true), deviceName(step.to, true));
}

/// Whether the schedule uses several GPUs.
bool usesSeveralGpus(const Schedule &schedule) {
  std::set<DeviceId> gpus;
  for (const ScheduleStep &step : schedule.steps)
    for (const DeviceId device : {step.device, step.to})
      if (device.isGpu())
        gpus.insert(device);
  return gpus.size() > 1;
}

std::string bufferText(const Bundle &bundle, BufferId id) {
  const BundleBuffer &buffer = bundle.buffer(id);
  return fmt::format("{} at {}+{}", buffer.name, buffer.input ? "input" : "work",
                     buffer.offsetBytes);
}

std::string runText(const Bundle &bundle, const BundleOperation &operation) {
  std::string text = fmt::format("{} [{}]", operation.name, semiringName(operation.semiring));
  for (size_t i = 0; i < operation.operands.size(); ++i)
    text += (i == 0 ? " " : ", ") + bufferText(bundle, operation.operands[i].buffer);
  text +=
      (operation.accumulates ? " added to " : " -> ") + bufferText(bundle, operation.result.buffer);
  if (operation.kernel)
    text += " by " + bundle.kernels[*operation.kernel].name;
  return text;
}

} // namespace

std::string printSchedule(const Schedule &schedule, const Bundle &bundle) {
  std::string text;
  const auto out = std::back_inserter(text);
  fmt::format_to(out, "schedule \"{}\": {} steps, input arena {}, work arena {}\n", bundle.name,
                 schedule.steps.size(), formatBytes(bundle.inputArenaBytes),
                 formatBytes(bundle.workArenaBytes));
  const bool hasSeveralGpus = usesSeveralGpus(schedule);
  std::string indent;
  for (const ScheduleStep &step : schedule.steps) {
    if (step.kind == StepKind::EndRepeat)
      indent.resize(indent.size() - 2);
    text += indent;
    switch (step.kind) {
    case StepKind::Copy:
      fmt::format_to(out, "  {} {}\n", copyText(step, hasSeveralGpus),
                     bufferText(bundle, BufferId(size_t{step.index})));
      break;
    case StepKind::Run:
      fmt::format_to(out, "  run {} {}\n", deviceName(step.device, hasSeveralGpus),
                     runText(bundle, bundle.operations[step.index]));
      break;
    case StepKind::Repeat: {
      const HeadVariable &variable = bundle.variables[bundle.sliced[step.index].index()];
      fmt::format_to(out, "  repeat for {} states of {}\n", variable.extent, variable.name);
      indent += "  ";
      break;
    }
    case StepKind::EndRepeat:
      fmt::format_to(out, "  end {}\n", bundle.variables[bundle.sliced[step.index].index()].name);
      break;
    case StepKind::EndSuperstep:
      fmt::format_to(out, "  end of a superstep\n");
      break;
    }
  }
  return text;
}

} // namespace mpf
