#include "runtime/schedule/print_schedule.h"

#include "dsl/support/check.h"
#include "dsl/support/number_text.h"

#include <iterator>

namespace mpf {

namespace {

const char *deviceName(StepDevice device) { return device == StepDevice::Cpu ? "cpu" : "gpu"; }

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
  std::string indent;
  for (const ScheduleStep &step : schedule.steps) {
    const char *device = deviceName(step.device);
    if (step.kind == StepKind::EndRepeat)
      indent.resize(indent.size() - 2);
    text += indent;
    switch (step.kind) {
    case StepKind::Upload:
      fmt::format_to(out, "  upload {} {}\n", device,
                     bufferText(bundle, BufferId(size_t{step.index})));
      break;
    case StepKind::Run:
      fmt::format_to(out, "  run {} {}\n", device, runText(bundle, bundle.operations[step.index]));
      break;
    case StepKind::Download:
      fmt::format_to(out, "  download {} {}\n", device,
                     bufferText(bundle, BufferId(size_t{step.index})));
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
