// Silberstein, Schuster, Owens: Applying software-managed caching and CPU/GPU task scheduling for
// accelerating dynamic workloads, GPU Computing Gems, 2011.
#include "tools/mpf-bench/papers/paper.h"
#include "tools/mpf-bench/papers/paper_bench.h"
#include "tools/mpf-bench/papers/tree_drawing.h"

#include <algorithm>
#include <fmt/core.h>
#include <map>

namespace mpf::bench {

namespace {

double gigaflops(const BucketJob &job) { return job.operations() / *job.result.timeUs * 1e-3; }

void fillPeaks(PaperBench &bench, PaperItem &item) {
  item.table.columns = {"device", "buckets", "peak GFLOP/s", "mean GFLOP/s", "least GFLOP/s"};
  for (const PaperDevice &device : bench.devices()) {
    double sum = 0, most = 0, least = 0;
    size_t count = 0;
    for (const BucketJob &job : bench.buckets(device).jobs)
      if (job.result.timeUs) {
        const double speed = gigaflops(job);
        least = count == 0 ? speed : std::min(least, speed);
        most = std::max(most, speed);
        sum += speed;
        ++count;
      }
    item.table.rows.push_back(
        {device.name, fmt::format("{}", count), fmt::format("{:.2f}", most),
         fmt::format("{:.2f}", count == 0 ? 0 : sum / static_cast<double>(count)),
         fmt::format("{:.3f}", least)});
  }
}

void fillScatter(PaperBench &bench, PaperItem &item) {
  for (const PaperDevice &device : bench.devices())
    for (const BucketJob &job : bench.buckets(device).jobs)
      if (job.result.timeUs)
        item.dots.push_back({device.name, job.operations(), gigaflops(job), job.shape.name});
}

/// Compares the time without the paper's cache with the time with it.
void fillCacheGain(PaperBench &bench, PaperItem &item) {
  const PaperDevice &gpu = bench.devices().back();
  std::map<std::string, double> cached;
  for (const BucketJob &job : bench.buckets(gpu, "ics08").jobs)
    if (job.result.timeUs)
      cached[job.shape.name] = *job.result.timeUs;
  for (const BucketJob &job : bench.buckets(gpu, "stream").jobs)
    if (const auto found = cached.find(job.shape.name); job.result.timeUs && found != cached.end())
      item.dots.push_back({"software cache over the hardware's alone", job.operations(),
                           *job.result.timeUs / found->second, job.shape.name});
}

size_t onGpu(const ScheduledTree::Schedule &schedule) {
  return static_cast<size_t>(std::ranges::count(schedule.devices, DeviceId::gpu(0)));
}

void fillSchedules(PaperBench &bench, PaperItem &item) {
  item.table.columns = {
      "tree",         "tasks",      "operations", "schedule", "operations on the GPU",
      "predicted ms", "measured ms"};
  for (const ScheduledTree &tree : bench.trees())
    for (const ScheduledTree::Schedule &schedule : tree.schedules)
      item.table.rows.push_back(
          {tree.name, fmt::format("{}", tree.tasks),
           fmt::format("{}", tree.bundle->operations.size()), schedule.name,
           fmt::format("{}", onGpu(schedule)), fmt::format("{:.3f}", schedule.predictedUs * 1e-3),
           schedule.measuredUs ? fmt::format("{:.3f}", *schedule.measuredUs * 1e-3) : "-"});
}

void fillTree(PaperBench &bench, PaperItem &item) {
  const ScheduledTree &tree = bench.trees().front();
  const auto devicesOf = [&](std::string_view name) -> const std::vector<DeviceId> & {
    return std::ranges::find(tree.schedules, name, &ScheduledTree::Schedule::name)->devices;
  };
  drawTree(*tree.bundle, devicesOf("greedy"), devicesOf("acceleration"), item);
}

void fillNetworks(PaperBench &bench, PaperItem &item) {
  item.table.columns = {"network"};
  for (const TaskRuns &task : bench.networks("gems-trees", "PR")) {
    std::vector<std::string> row = {task.instance};
    double base = 0;
    for (const SolverRun &solver : task.runs) {
      const double run = solver.run.seconds.anyRun();
      if (item.table.rows.empty())
        item.table.columns.push_back(row.size() == 1 ? solver.solver + ": s a run"
                                                     : solver.solver + ": speedup");
      if (solver.run.status != RunStatus::Solved)
        row.emplace_back("-");
      else if (row.size() == 1)
        row.push_back(fmt::format("{:.4g}", base = run));
      else
        row.push_back(base > 0 && run > 0 ? fmt::format("{:.2f}", base / run) : "-");
    }
    item.table.rows.push_back(std::move(row));
  }
}

} // namespace

const Paper &gemsPaper() {
  static const Paper kPaper{
      "gems",
      "Silberstein, Schuster, Owens: Applying software-managed caching and CPU/GPU task "
      "scheduling for accelerating dynamic workloads (GPU Computing Gems, 2011)",
      {
          {"table 1",
           "peak speed of double-precision kernels on each processor",
           "the fastest of random buckets drawn by the rules of section 4.1; copies between host "
           "and device are left out, as there.",
           {},
           fillPeaks},
          {"figure 5(a,b)",
           "speed of single kernels on 5000 random inputs, by their operations",
           "the same buckets, on every device.",
           {"operations (multiplications and additions)", "10^9 operations / s", true, true, false},
           fillScatter},
          {"figure 5(c)",
           "gain of the software-managed cache over global memory alone and over texture memory",
           "Nothing: every GPU that this program knows has a hardware cache before its memory, "
           "which cannot be switched off; see figure 5(d).",
           {},
           nullptr},
          {"figure 5(d)",
           "gain of the software-managed with the hardware cache over the hardware's alone",
           "the paper's scheme (family ics08) beside kernels that stage nothing (family stream).",
           {"operations (multiplications and additions)", "gain", true, true, false},
           fillCacheGain,
           true},
          {"table 2",
           "run times of trees of tasks with four schedules, and how many tasks the GPU has",
           "drawn trees in the paper's sizes: a task is the bucket of a variable, and an "
           "operation, or two where it has more functions than an operation takes. Nothing is "
           "simplified and no buckets are joined, as `mpfc run` would. 'acceleration' is the "
           "paper's communication-aware schedule, 'greedy' its hybrid-greedy. Predictions are for "
           "this machine's stored speeds, else for the shipped ones, of an H200; what cannot run "
           "here has these alone.",
           {},
           fillSchedules},
          {"figure 6",
           "a tree of tasks with those that either schedule gives to the GPU",
           "the first tree, by the predicted schedules; a dot is an operation, its height the "
           "number of operations before the root.",
           {"operation, by the order of the program", "operations before the root", false, false,
            false},
           fillTree},
          {"table 3",
           "run times of whole networks: seconds on the base processor, speedups of the others",
           "partition functions of drawn trees (or of --networks), a run after the first; the "
           "base is the first column.",
           {},
           fillNetworks},
      }};
  return kPaper;
}

} // namespace mpf::bench
