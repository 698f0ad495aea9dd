#include "runtime/schedule/print_launch_plan.h"

#include "runtime/schedule/launch_use.h"
#include "runtime/schedule/launch_words.h"

#include <fmt/core.h>
#include <iterator>

namespace mpf {

namespace {

std::string kernelOf(const Launch &launch, const Bundle &bundle) {
  if (launch.kind == LaunchKind::Chain)
    return " by " + bundle.kernels[chainAt(bundle, launch.first)->kernel].name;
  if (launch.kind == LaunchKind::Specialised)
    return " by " + bundle.kernels[*bundle.operations[launch.first].kernel].name;
  return "";
}

} // namespace

std::string printLaunchPlan(const LaunchPlan &plan, const Bundle &bundle) {
  std::string text = fmt::format("launches {}\n", plan.launches.size());
  const auto out = std::back_inserter(text);
  for (const Launch &launch : plan.launches) {
    const uint32_t last = launch.first + launch.count - 1;
    const bool several = launch.count > 1;
    fmt::format_to(out, "launch {} {}{} arithmetic={} wait={} blocks={}  # {}{}{}\n",
                   wordOf(kLaunchKindWords, launch.kind), launch.first,
                   several ? fmt::format("..{}", last) : "",
                   wordOf(kLaunchArithmeticWords, launch.arithmetic),
                   wordOf(kWaitPointWords, launch.wait), launch.gridBlocks,
                   bundle.operations[launch.first].name,
                   several ? " to " + bundle.operations[last].name : "", kernelOf(launch, bundle));
  }
  return text;
}

} // namespace mpf
