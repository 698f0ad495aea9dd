#include "tools/mpf-bench/papers/paper_bench.h"

#include "codegen/plan/program/program_statistics.h"
#include "dsl/support/error.h"
#include "dsl/support/system/thread_count.h"
#include "runtime/machine/gpu_backend.h"
#include "runtime/machine/machine_identity.h"
#include "runtime/machine/stored_speed.h"
#include "runtime/predict/place_program.h"
#include "tools/mpf-bench/measure/time_runs.h"
#include "tools/mpf-bench/networks/compile_network.h"
#include "tools/mpf-bench/networks/drawn_sets.h"
#include "tools/mpf-bench/networks/instance_list.h"

#include <algorithm>
#include <cmath>
#include <cstdio>
#include <fmt/core.h>
#include <fmt/ranges.h>
#include <set>

namespace mpf::bench {

namespace {

constexpr double kPaperRuns = 1e4; ///< runs over which opening a GPU and compiling kernels pay

std::vector<PaperDevice> devicesFor(const PaperOptions &options, bool hasGpu) {
  std::vector<unsigned> threads = options.threads;
  if (threads.empty()) {
    threads = {1};
    if (const unsigned all = coreCount(); all > 1)
      threads.push_back(all);
  }
  std::vector<PaperDevice> devices;
  for (const unsigned t : threads)
    devices.push_back(
        {fmt::format("CPU, {} thread{}", t, t == 1 ? "" : "s"), DeviceRequest::cpu(), t});
  if (hasGpu)
    devices.push_back({"GPU", DeviceRequest::gpu(), 0});
  return devices;
}

RunBenchOptions runOptions(const PaperDevice &device, const PaperOptions &options) {
  RunBenchOptions run;
  run.device = device.devices.devicesWord();
  run.threads = device.threads;
  run.expectedRuns = kPaperRuns;
  run.repeats = std::max(1u, static_cast<unsigned>(20 * options.seconds));
  return run;
}

NetworkTask taskFor(const NetworkInstance &instance, const std::string &task,
                    const PaperDevice &device) {
  NetworkTask asked;
  asked.model = instance.model;
  asked.evidence = instance.evidence;
  asked.task = task;
  asked.device = device.devices.devicesWord();
  asked.threads = device.threads;
  asked.expectedRuns = kPaperRuns;
  return asked;
}

ScheduledTree scheduleTree(const NetworkInstance &instance, const PaperBench &bench) {
  const PaperDevice &cpu = *std::find_if(bench.devices().rbegin(), bench.devices().rend(),
                                         [](const auto &d) { return d.devices.excludesGpu(); });
  NetworkRun phases;
  NetworkTask task = taskFor(instance, "PR", {"GPU", DeviceRequest::gpu(), cpu.threads});
  task.asBuckets = true;
  const Model model = readNetwork(task);
  ScheduledTree tree{instance.name,
                     model.variables.size() - model.evidence.observations().size(),
                     compileNetwork(model, task, phases).bundle,
                     {}};
  const PlacementConditions conditions{cpu.threads, kPaperRuns, machineOf(storedSpeed())};
  RunBenchOptions run = runOptions(cpu, bench.options());
  for (const PlacementMethodName &method : placementMethods()) {
    if (method.method == PlacementMethod::Auto)
      continue;
    const PlacementChoice choice = placeProgram(*tree.bundle, method.method, conditions);
    ScheduledTree::Schedule schedule{
        std::string(method.name), choice.timeline.endUs, {}, choice.placement.devices};
    if (bench.hasGpu() || method.method == PlacementMethod::Cpu) {
      run.device = bench.hasGpu() ? "auto" : "cpu";
      schedule.measuredUs = timeRuns(*tree.bundle, schedule.name, run).medianUs;
    }
    tree.schedules.push_back(std::move(schedule));
  }
  return tree;
}

} // namespace

PaperBench::PaperBench(const PaperOptions &options)
    : options_(options),
      hasGpu_(deviceRequestOf(options.device).mayUseGpu() && gpuBackendUnavailable().empty()),
      devices_(devicesFor(options, hasGpu_)) {}

std::string PaperBench::machine() const {
  return fmt::format("{}; {}", machineIdentity(),
                     hasGpu_ ? "GPU " + gpuBackendArch() : "no GPU used, so the CPU alone");
}

BucketBenchOptions PaperBench::bucketOptions(const PaperDevice &device) const {
  BucketBenchOptions asked;
  asked.sets = {"gems"};
  asked.types = {"f64"};
  asked.device = device.devices.requiresGpu() ? BucketMeans::Gpu : BucketMeans::Cpu;
  asked.threads = device.threads;
  asked.limit = options_.buckets;
  asked.maxOperations = options_.mostOperations;
  asked.seed = options_.seed;
  asked.bucketSeconds = options_.seconds;
  asked.repeats = 5;
  return asked;
}

const BucketRun &PaperBench::buckets(const PaperDevice &device, const std::string &family) {
  const std::string key = device.name + " " + family;
  if (const auto known = buckets_.find(key); known != buckets_.end())
    return known->second;
  BucketBenchOptions asked = bucketOptions(device);
  asked.family = family;
  return buckets_.emplace(key, runBuckets(asked)).first->second;
}

std::vector<std::string> PaperBench::drawnPaths(const std::string &set) {
  DrawNetworksOptions draw;
  draw.folder = scratch_.file(set);
  draw.sets = {set};
  draw.sizes = options_.sizes;
  draw.largestBucket = options_.largestBucket;
  draw.seed = options_.seed;
  drawNetworks(draw);
  return {draw.folder};
}

const std::vector<CaseSweep> &PaperBench::sweeps() {
  if (sweeps_)
    return *sweeps_;
  CaseBenchOptions asked;
  asked.sweep = options_.casesAtATime;
  asked.rows = *std::ranges::max_element(asked.sweep);
  asked.device = hasGpu_ ? "gpu" : "cpu";
  asked.threads = hasGpu_ ? 0 : devices_.back().threads;
  asked.seconds = options_.seconds;
  sweeps_.emplace();
  std::set<std::string> models; // cases are drawn, so evidence files add no further instances
  for (const NetworkInstance &instance :
       findInstances(options_.networks.empty() ? drawnPaths("qmr-dt") : options_.networks))
    if (models.insert(instance.model).second) {
      sweeps_->push_back(sweepCases(instance.model, asked));
      fmt::print("measured {}: {} points\n", sweeps_->back().model, sweeps_->back().points.size());
      std::fflush(stdout);
    }
  return *sweeps_;
}

const std::vector<ScheduledTree> &PaperBench::trees() {
  if (trees_)
    return *trees_;
  trees_.emplace();
  for (const NetworkInstance &instance :
       findInstances(options_.networks.empty() ? drawnPaths("gems-trees") : options_.networks))
    trees_->push_back(scheduleTree(instance, *this));
  return *trees_;
}

const std::vector<TaskRuns> &PaperBench::networks(const std::string &drawnSet,
                                                  const std::string &task,
                                                  const std::vector<std::string> &onGpu) {
  const std::string key = fmt::format("{} {} {}", drawnSet, task, fmt::join(onGpu, " "));
  if (const auto known = networks_.find(key); known != networks_.end())
    return known->second;
  NetworkBenchOptions asked;
  asked.paths = options_.networks.empty() ? drawnPaths(drawnSet) : options_.networks;
  asked.tasks = {task};
  asked.repeatSeconds = options_.seconds;
  asked.skipCold = true;
  asked.seconds = 120;
  asked.devices = {"cpu"};
  if (hasGpu_)
    asked.devices.insert(asked.devices.end(), onGpu.begin(), onGpu.end());
  asked.threads.clear();
  for (const PaperDevice &device : devices_)
    if (device.devices.excludesGpu())
      asked.threads.push_back(device.threads);
  return networks_.emplace(key, runCampaign(asked, [](const TaskRuns &) {})).first->second;
}

PaperBench::ModelTime PaperBench::timeMarginals(const Model &model,
                                                const PaperDevice &device) const {
  NetworkRun phases;
  const CompiledNetwork compiled = compileNetwork(model, taskFor({}, "MAR", device), phases);
  const ProgramStatistics statistics = programStatistics(compiled.program, compiled.bundle->type);
  return {std::exp2(statistics.log2TotalOps),
          timeRuns(*compiled.bundle, "auto", runOptions(device, options_)).medianUs};
}

} // namespace mpf::bench
