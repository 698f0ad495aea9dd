// Jeon, Xia, Prasanna: Parallel Exact Inference on a CPU-GPGPU Heterogenous System, ICPP 2010.
#include "tools/mpf-bench/networks/draw_junction_tree.h"
#include "tools/mpf-bench/papers/paper.h"
#include "tools/mpf-bench/papers/paper_bench.h"

#include <algorithm>
#include <cmath>
#include <fmt/core.h>

namespace mpf::bench {

namespace {

/// Returns the paper's baseline with the given width and fewer cliques.
JunctionTreeOptions baseline(const PaperOptions &options) {
  JunctionTreeOptions tree;
  tree.width = options.width;
  tree.separator = std::min(2u, options.width - 1);
  tree.cliques = options.sizes.empty() ? 64 : options.sizes.front();
  tree.seed = options.seed;
  return tree;
}

/// Sorts dots by series, so that lines join neighbours.
void joinSeries(PaperItem &item) {
  const auto bySeries = [](const PaperDot &a, const PaperDot &b) { return a.series < b.series; };
  std::ranges::stable_sort(item.dots, bySeries);
}

void fillSweep(PaperBench &bench, PaperItem &item, const std::string &what,
               const std::vector<uint32_t> &values, uint32_t JunctionTreeOptions::*member) {
  item.table.columns = {what};
  for (const PaperDevice &device : bench.devices())
    item.table.columns.push_back(device.name + ": ms a run");
  for (const uint32_t value : values) {
    JunctionTreeOptions tree = baseline(bench.options());
    tree.*member = value;
    const Model model = drawJunctionTree(tree);
    item.table.rows.push_back({fmt::format("{}", value)});
    for (const PaperDevice &device : bench.devices()) {
      const double runUs = bench.timeMarginals(model, device).runUs;
      item.table.rows.back().push_back(fmt::format("{:.4g}", runUs * 1e-3));
      item.dots.push_back({device.name, static_cast<double>(value), runUs * 1e-3, ""});
    }
  }
  joinSeries(item);
}

void fillWidths(PaperBench &bench, PaperItem &item) {
  std::vector<uint32_t> widths;
  for (uint32_t width = std::min(4u, bench.options().width); width <= bench.options().width;
       width += 2)
    widths.push_back(width);
  fillSweep(bench, item, "variables of a clique", widths, &JunctionTreeOptions::width);
}

void fillChildren(PaperBench &bench, PaperItem &item) {
  fillSweep(bench, item, "children of a clique", {1, 2, 4, 8}, &JunctionTreeOptions::children);
}

void fillCliques(PaperBench &bench, PaperItem &item) {
  const std::vector<uint32_t> &sizes = bench.options().sizes;
  fillSweep(bench, item, "cliques", sizes.empty() ? std::vector<uint32_t>{16, 32, 64, 128} : sizes,
            &JunctionTreeOptions::cliques);
}

/// Compares times of random buckets with split sums with the time of the whole sum.
void fillSplits(PaperBench &bench, PaperItem &item) {
  for (const uint64_t splits : {1, 2, 4, 8, 16}) {
    BucketBenchOptions asked = bench.bucketOptions(bench.devices().back());
    asked.splits = splits;
    for (const BucketJob &job : runBuckets(asked).jobs)
      if (job.result.timeUs)
        item.dots.push_back({fmt::format("splits {}", splits), static_cast<double>(splits),
                             *job.result.timeUs, job.shape.name});
  }
}

void fillBlockThreads(PaperBench &bench, PaperItem &item) {
  BucketBenchOptions asked = bench.bucketOptions(bench.devices().back());
  asked.autotune = 16;
  for (const BucketJob &job : runBuckets(asked).jobs) {
    double best = 0;
    for (const BucketCandidate &candidate : job.candidates)
      if (candidate.timeUs && (best == 0 || *candidate.timeUs < best))
        best = *candidate.timeUs;
    for (const BucketCandidate &candidate : job.candidates)
      if (candidate.timeUs)
        item.dots.push_back({candidate.family, static_cast<double>(candidate.blockThreads),
                             *candidate.timeUs / best, job.shape.name});
  }
}

/// Returns the place of a device on an axis, from 1.
double numberOf(const SolverRun &solver, const TaskRuns &task) {
  return 1 + static_cast<double>(&solver - task.runs.data());
}

void fillDiseases(PaperBench &bench, PaperItem &item) {
  item.table.columns = {"network", "device", "ms a run", "first device / this"};
  for (const TaskRuns &task : bench.networks("qmr-dt", "MAR")) {
    const double base = task.runs.front().run.seconds.anyRun();
    for (const SolverRun &solver : task.runs)
      if (const double run = solver.run.seconds.anyRun(); run > 0) {
        item.table.rows.push_back({task.instance, solver.solver, fmt::format("{:.4g}", run * 1e3),
                                   fmt::format("{:.2f}", base / run)});
        item.dots.push_back({task.instance, numberOf(solver, task), run * 1e3, solver.solver});
      }
  }
}

double withCopies(const SolverRun &solver) {
  return solver.run.seconds.transfer + solver.run.seconds.anyRun();
}

void fillPhases(PaperBench &bench, PaperItem &item) {
  item.table.columns = {"network",   "device",       "schedule ms",
                        "inputs ms", "first run ms", "copies ms",
                        "run ms",    "answers ms",   "copies and run, of synchronous"};
  for (const TaskRuns &task : bench.networks("qmr-dt", "MAR", {"gpu-synchronous", "gpu"})) {
    const SolverRun *synchronous = task.of("mpf gpu-synchronous");
    for (const SolverRun &solver : task.runs) {
      const PhaseSeconds &s = solver.run.seconds;
      std::vector<std::string> row = {task.instance, solver.solver};
      for (const double seconds : {s.plan(), s.binding, s.firstRun, s.transfer, s.run, s.readout}) {
        const std::string &phase = item.table.columns[row.size()];
        if (seconds > 0)
          item.dots.push_back({phase, numberOf(solver, task), seconds * 1e3,
                               fmt::format("{}, {}: {}", task.instance, solver.solver, phase)});
        row.push_back(fmt::format("{:.4g}", seconds * 1e3));
      }
      const bool isCompared = synchronous != nullptr && withCopies(*synchronous) > 0 &&
                              solver.solver.starts_with("mpf gpu");
      row.push_back(
          isCompared ? fmt::format("{:.3f}", withCopies(solver) / withCopies(*synchronous)) : "-");
      item.table.rows.push_back(std::move(row));
    }
  }
  joinSeries(item);
}

void fillDevices(PaperBench &bench, PaperItem &item) {
  item.table.columns = {"device", "ms a run", "first device / this", "10^9 operations / s"};
  const Model model = drawJunctionTree(baseline(bench.options()));
  double base = 0;
  for (const PaperDevice &device : bench.devices()) {
    const PaperBench::ModelTime time = bench.timeMarginals(model, device);
    base = base == 0 ? time.runUs : base;
    item.table.rows.push_back({device.name, fmt::format("{:.4g}", time.runUs * 1e-3),
                               fmt::format("{:.2f}", base / time.runUs),
                               fmt::format("{:.3f}", time.operations / time.runUs * 1e-3)});
    item.dots.push_back(
        {"ms a run", static_cast<double>(item.table.rows.size()), time.runUs * 1e-3, device.name});
  }
}

} // namespace

const Paper &icpp10Paper() {
  static const Paper kPaper{
      "icpp10",
      "Jeon, Xia, Prasanna: Parallel Exact Inference on a CPU-GPGPU Heterogenous System (ICPP "
      "2010)",
      {
          {"figure 8",
           "run time by the number of thread blocks for a clique",
           "a kernel has as many blocks as its result asks for; what can be chosen is into how "
           "many parts a sum is split. Times of random buckets by that.",
           {"parts of a sum", "us", true, true, false},
           fillSplits,
           true},
          {"figure 9",
           "run time by the threads of a block",
           "the kernels that the planner finds best for random buckets, measured: time over that "
           "of the fastest, by the threads of their blocks.",
           {"threads of a block", "time / least time of the bucket", true, true, false},
           fillBlockThreads,
           true},
          {"figure 10(a)",
           "run time by the variables of a clique, for several numbers of thread blocks",
           "all marginals of drawn junction trees by the variables of a clique (of two states), "
           "on every device; the number of blocks follows from the cliques.",
           {"variables of a clique", "ms a run", false, true},
           fillWidths},
          {"figure 10(b)",
           "run time by the children of a clique",
           "the same by the children.",
           {"children of a clique", "ms a run"},
           fillChildren},
          {"figure 11",
           "run time by the number of cliques",
           "the same by the number of cliques.",
           {"cliques", "ms a run"},
           fillCliques},
          {"figure 12",
           "the QMR-DT network",
           "all marginals of a drawn network of that kind (or of --networks): the real one is not "
           "public.",
           {"device, in the order of the table", "ms a run", false, true, false},
           fillDiseases},
          {"figure 13",
           "parts of the time, with synchronous and asynchronous copies",
           "parts of the time on the same network, where every run has new inputs. Messages stay "
           "on the device. 'gpu-synchronous' copies inputs, launches, and copies results, one "
           "after the other; 'gpu' copies on a second stream, beside the launches, where that is "
           "predicted to pay, and 'copies' are those that nothing hides. Without a GPU the CPU "
           "alone, which copies nothing.",
           {"device, in the order of the table", "ms", false, true, false},
           fillPhases},
          {"figure 14",
           "total time and speed beside multicore processors",
           "the drawn junction tree with the widest cliques, on every device.",
           {"device, in the order of the table", "ms a run", false, true, false},
           fillDevices},
      }};
  return kPaper;
}

} // namespace mpf::bench
