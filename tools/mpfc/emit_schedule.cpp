#include "tools/mpfc/emit_schedule.h"

#include "codegen/bundle/table_driven_shape.h"
#include "codegen/kernel/form/target.h"
#include "dsl/formats/load_text.h"
#include "dsl/support/error.h"
#include "runtime/api/place_program.h"
#include "runtime/predict/stored_speed.h"
#include "runtime/schedule/build_launch_plan.h"
#include "runtime/schedule/build_schedule.h"
#include "runtime/schedule/placement/placed_schedule.h"
#include "runtime/schedule/print_launch_plan.h"
#include "runtime/schedule/print_schedule.h"
#include "runtime/schedule/slices/choose_replicas.h"
#include "runtime/schedule/transfers/build_transfer_plan.h"
#include "runtime/schedule/transfers/print_transfer_plan.h"
#include "runtime/schedule/verify_launch_plan.h"

#include <algorithm>

namespace mpf::driver {

namespace {

constexpr std::string_view kLaunches = "launches ";

/// The launch plan behind the steps of a schedule's text, if it has steps. In their place stand
/// empty lines, so that errors have the right line. The transfers behind it are planned anew.
std::string withoutSteps(std::string_view text) {
  text = text.substr(0, text.find("\ntransfers "));
  size_t start = text.starts_with(kLaunches) ? 0 : text.find(fmt::format("\n{}", kLaunches));
  if (start == std::string_view::npos)
    start = 0; // reading says what is missing
  return std::string(static_cast<size_t>(std::count(text.begin(), text.begin() + start, '\n')),
                     '\n') +
         std::string(text.substr(start));
}

LaunchPlan readLaunches(const std::string &path, const Bundle &bundle,
                        const LaunchOptions &launches) {
  LaunchPlan plan;
  try {
    plan = readLaunchPlan(withoutSteps(loadText(path)->text()));
  } catch (const Error &error) {
    fail(error.kind(), "{}: {}", path, error.what());
  }
  if (const std::string fault =
          findFault(plan, bundle, launches.waits, {}, launches.joins.residentBlocks);
      !fault.empty())
    fail(ErrorKind::BadInput, "{}: launch plan of {}: {}", path, bundle.name, fault);
  return plan;
}

Target targetOf(const Options &options) {
  return targetNamed(options.target.empty() ? kReferenceTarget : options.target);
}

/// As a GPU has the bundle; where each operation is looked at, no slices side by side.
ReplicatedBundle replicatedFor(const Bundle &bundle, const Options &options) {
  ReplicaOptions replicas;
  replicas.atOnce = options.verify ? 1 : 0;
  replicas.speed = storedSpeed().gpu;
  replicas.speed.multiprocessors = targetOf(options).smCount;
  return replicateForGpu(bundle, replicas);
}

/// A line for each loop with several slices in a pass: operations of the launches behind it stand
/// for replicas then.
std::string slicesText(const ReplicatedBundle &program) {
  std::string text;
  for (uint32_t loop = 1; loop <= program.counts.size(); ++loop)
    if (program.counts[loop - 1] > 1)
      text += fmt::format("slices loop={} extent={} at-once={} passes={}\n", loop,
                          program.extent(loop), program.counts[loop - 1], program.passes(loop));
  return text;
}

/// Results that a run brings to the host, buffers.
std::vector<uint32_t> downloadsOf(const Bundle &bundle) {
  std::vector<uint32_t> buffers;
  for (const ScheduleStep &step : buildSchedule(bundle, StepDevice::Gpu).steps)
    if (step.kind == StepKind::Download)
      buffers.push_back(step.index);
  return buffers;
}

std::string launchText(const ReplicatedBundle &program, const Options &options) {
  const Bundle &bundle = program.bundle;
  LaunchOptions launches;
  launches.waits = waitingKernels(bundle);
  launches.multiprocessors = targetOf(options).smCount;
  launches.joins.which = joinLevelsNamed(options.resident);
  launches.joins.residentBlocks = kLevelResidentBlocks * launches.multiprocessors;
  launches.joins.speed = storedSpeed().gpu;
  launches.joins.speed.multiprocessors = launches.multiprocessors;
  const auto textOf = [&](const LaunchPlan &plan) {
    const TransferOptions transfers{downloadsOf(bundle), launches.joins.speed, CopySpeed()};
    return slicesText(program) + printLaunchPlan(plan, bundle) +
           printTransferPlan(buildTransferPlan(bundle, plan, transfers), bundle);
  };
  if (!options.launches.empty())
    return textOf(readLaunches(options.launches, bundle, launches));
  launches.inputStates = rangesOfInputs(bundle);
  launches.grouped = !options.verify;
  launches.assumesLinear = !options.verify;
  if (options.verify) // each operation is looked at, and all is copied before and behind
    return slicesText(program) + printLaunchPlan(buildLaunchPlan(bundle, launches), bundle);
  return textOf(buildLaunchPlan(bundle, launches));
}

/// For CPU and GPU, by predicted times.
std::string placedText(const Bundle &bundle, const Options &options) {
  PlacementConditions conditions{options.threads, options.expectedRuns.value_or(1), storedSpeed()};
  conditions.speed.gpu.multiprocessors = targetOf(options).smCount;
  const PlacementChoice choice =
      placeProgram(bundle, placementMethodNamed(options.schedule), conditions);
  return printSchedule(placedSchedule(bundle, choice.placement, choice.supersteps), bundle);
}

} // namespace

std::string emitSchedules(const std::vector<Bundle> &bundles, const Options &options) {
  const bool gpu = options.device == "gpu";
  if (!options.launches.empty() && bundles.size() > 1)
    fail(ErrorKind::Usage,
         "--launches is the launch plan of one query, there are {}: choose with --task or "
         "--query-name",
         bundles.size());
  std::string text;
  for (const Bundle &bundle : bundles) {
    if (options.schedule != "auto") {
      text += placedText(bundle, options);
      continue;
    }
    text += printSchedule(buildSchedule(bundle, gpu ? StepDevice::Gpu : StepDevice::Cpu), bundle);
    if (gpu && bundle.tableDriven)
      text += launchText(replicatedFor(bundle, options), options);
    else if (!options.launches.empty())
      fail(ErrorKind::BadInput, "--launches: bundle {} was built without GPU kernels", bundle.name);
  }
  return text;
}

} // namespace mpf::driver
