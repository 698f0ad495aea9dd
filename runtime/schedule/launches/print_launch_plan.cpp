#include "runtime/schedule/launches/print_launch_plan.h"

#include "runtime/schedule/launches/launch_use.h"
#include "runtime/schedule/launches/launch_words.h"

#include <fmt/core.h>
#include <iterator>
#include <utility>

namespace mpf {

namespace {

std::string kernelOf(const Launch &launch, const Bundle &bundle) {
  if (launch.kind == LaunchKind::Chain)
    return " by " + bundle.kernels[chainAt(bundle, launch.first)->kernel].name;
  if (launch.kind == LaunchKind::Specialised)
    return " by " + bundle.kernels[*bundle.operations[launch.first].kernel].name;
  return "";
}

/// Returns a line for each block.
std::string textOf(const LevelMapping &mapping) {
  std::string text;
  const auto out = std::back_inserter(text);
  for (const LevelBlock &block : mapping.blocks) {
    text += "  block";
    uint32_t phase = 0;
    for (const LevelStep &step : block) {
      if (std::exchange(phase, step.phase) != step.phase)
        fmt::format_to(out, " phase {}", phase);
      text += step.barrier ? " barrier" : "";
      text += step.wholeBlock ? " whole" : " warps";
      for (const LevelTask &task : step.tasks)
        fmt::format_to(out, " {}[{},{})[{},{})", task.operation, task.outputs.first,
                       task.outputs.end, task.terms.first, task.terms.end);
    }
    text += '\n';
  }
  return text;
}

} // namespace

std::string printLaunchPlan(const LaunchPlan &plan, const Bundle &bundle) {
  std::string text = fmt::format("launches {}\n", plan.launches.size());
  const auto out = std::back_inserter(text);
  for (const Launch &launch : plan.launches) {
    const bool several = launch.count > 1;
    const bool mapped = isMapped(launch.kind);
    const uint32_t last = mapped ? 0 : launch.first + launch.count - 1;
    fmt::format_to(out, "launch {} {}{} arithmetic={} wait={} blocks={}  # {}{}{}\n",
                   wordOf(kLaunchKindWords, launch.kind), launch.first,
                   several && !mapped ? fmt::format("..{}", last) : "",
                   wordOf(kLaunchArithmeticWords, launch.arithmetic),
                   wordOf(kWaitPointWords, launch.wait), launch.gridBlocks,
                   bundle.operations[launch.first].name,
                   !several ? ""
                   : mapped ? fmt::format(" and {} more", launch.count - 1)
                            : " to " + bundle.operations[last].name,
                   kernelOf(launch, bundle));
    if (mapped)
      text += textOf(plan.mappings[launch.mapping]);
  }
  return text;
}

} // namespace mpf
