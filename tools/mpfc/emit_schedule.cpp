#include "tools/mpfc/emit_schedule.h"

#include "codegen/kernel/form/target.h"
#include "dsl/formats/load_text.h"
#include "dsl/support/check.h"
#include "runtime/choose/answer/choose_answer.h"
#include "runtime/machine/stored_speed.h"
#include "runtime/schedule/build_schedule.h"
#include "runtime/schedule/launches/print_launch_plan.h"
#include "runtime/schedule/launches/verify_launch_plan.h"
#include "runtime/schedule/placement/placed_schedule.h"
#include "runtime/schedule/print_schedule.h"
#include "runtime/schedule/slices/run_launches.h"
#include "runtime/schedule/transfers/build_transfer_plan.h"
#include "runtime/schedule/transfers/print_transfer_plan.h"

#include <algorithm>

namespace mpf::driver {

namespace {

constexpr std::string_view kLaunches = "launches ";

/// Returns the launch plan in a schedule's text. Empty lines replace the steps before it, so that
/// errors have the right line. The transfers after it are left out: they are planned anew.
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

/// Prints a line for each loop with several slices in a pass. The operations of its launches are
/// then replicas, one for each of these slices.
std::string slicesText(const ReplicatedBundle &program) {
  std::string text;
  for (uint32_t loop = 1; loop <= program.counts.size(); ++loop)
    if (program.counts[loop - 1] > 1)
      text += fmt::format("slices loop={} extent={} at-once={} passes={}\n", loop,
                          program.extent(loop), program.counts[loop - 1], program.passes(loop));
  return text;
}

/// Returns the buffers of the results that a run copies to the host.
std::vector<uint32_t> downloadsOf(const Bundle &bundle) {
  std::vector<uint32_t> buffers;
  for (const ScheduleStep &step : buildSchedule(bundle, DeviceId::gpu(0)).steps)
    if (step.copiesFrom(DeviceId::gpu(0)))
      buffers.push_back(step.index);
  return buffers;
}

std::string launchText(const Bundle &bundle, const Options &options) {
  const GpuSpeed speed = storedSpeed().gpu;
  LaunchSite site{speed, joinLevelsNamed(options.resident), options.verify};
  site.speed.multiprocessors = targetOrReference(options.target).smCount;
  const RunLaunches run = runLaunches(bundle, site);
  const Bundle &launched = run.program.bundle;
  const LaunchPlan plan =
      options.launches.empty() ? run.plan() : readLaunches(options.launches, launched, run.options);
  std::string text = slicesText(run.program) + printLaunchPlan(plan, launched);
  if (!options.verify || !options.launches.empty()) { // else everything is copied before and after
    const TransferOptions transfers{downloadsOf(launched), site.speed, speed.copies};
    text += printTransferPlan(buildTransferPlan(launched, plan, transfers), launched);
  }
  return text;
}

/// Returns the devices of the machine that is scheduled for: a CPU alone unless options say more.
DeviceRequest devicesOf(const Options &options) {
  const bool isAsked =
      std::find(options.given.begin(), options.given.end(), "--schedule") != options.given.end();
  return options.devices.isOpen() && !isAsked ? DeviceRequest::cpu() : options.devices;
}

std::string cpuText(const Bundle &bundle, const Options &options) {
  if (!options.launches.empty())
    fail(ErrorKind::BadInput, "--launches: bundle {} runs on the CPU", bundle.name);
  return printSchedule(buildSchedule(bundle, DeviceId::cpu()), bundle);
}

std::string gpuText(const Bundle &bundle, const Options &options) {
  if (!bundle.tableDriven)
    fail(ErrorKind::BadInput,
         "bundle {} was built without GPU kernels: name a GPU with --target when building it",
         bundle.name);
  return printSchedule(buildSchedule(bundle, DeviceId::gpu(0)), bundle) +
         launchText(bundle, options);
}

/// Returns the plan of a session of the bundle, on a machine with the GPU of the options and with
/// --max-memory of memory (default: any amount).
AnswerPlan assumedPlanOf(const Bundle &bundle, const Options &options) {
  AnswerConditions conditions;
  conditions.devices = devicesOf(options);
  conditions.costs = [&options] {
    PlacementConditions costs{options.threads, options.expectedRuns.value_or(1),
                              machineOf(storedSpeed())};
    setMultiprocessors(costs.machine, targetOrReference(options.target).smCount);
    return costs;
  };
  if (options.maxMemoryBytes)
    conditions.hostBytes = [&options] { return *options.maxMemoryBytes; };
  if (!bundle.tableDriven)
    conditions.lacksKernels = "the program has no GPU kernels";
  conditions.isOpened = true;
  return chooseAnswer(bundle, conditions).plan;
}

/// Returns the schedule of the answer that a session takes on the machine of the options.
std::string textOf(const Bundle &bundle, const Options &options) {
  const AnswerPlan plan = assumedPlanOf(bundle, options);
  if (!plan.usesGpu())
    return cpuText(bundle, options);
  return plan.isSpread()
             ? printSchedule(placedSchedule(bundle, plan.placement, plan.supersteps), bundle)
             : gpuText(bundle, options);
}

} // namespace

Options scheduleOptions(Options options) {
  // A bundle that was read is not compiled again: it keeps its kernels.
  if (devicesOf(options).mayUseGpu() && options.startStage != Stage::Bundle &&
      options.target.empty())
    options.target = kReferenceTarget;
  return options;
}

std::string emitSchedules(const std::vector<Bundle> &bundles, const Options &options) {
  if (!options.launches.empty() && bundles.size() > 1)
    fail(ErrorKind::Usage,
         "--launches is the launch plan of one query, there are {}: choose with --task or "
         "--query",
         bundles.size());
  std::string text;
  for (const Bundle &bundle : bundles)
    text += textOf(bundle, options);
  return text;
}

} // namespace mpf::driver
