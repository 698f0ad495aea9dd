#include "tools/mpf-bench/bench_threads.h"

#include "runtime/execute/host/bind_input.h"
#include "runtime/session/open_executor.h"
#include "tools/mpf-bench/measure/lap.h"
#include "tools/mpf-bench/networks/compile_network.h"
#include "tools/mpf-bench/networks/instance_list.h"

#include <algorithm>
#include <cmath>
#include <cstdio>
#include <cstring>
#include <fmt/core.h>

namespace mpf::bench {

namespace {

/// An executor that takes turns with others.
struct Contender {
  OpenedExecutor opened;
  std::vector<double> timesMs = {}; ///< times of the runs so far

  void run() {
    Lap lap;
    opened.executor->run(opened.schedule.steps, {});
    timesMs.push_back(lap.next() * 1e3);
  }
  double fastestMs() const { return *std::ranges::min_element(timesMs); }
  /// Returns the median time. It is far above the fastest if threads often lose their cores while
  /// others wait for them.
  double medianMs() const {
    std::vector<double> sorted = timesMs;
    std::ranges::sort(sorted);
    return sorted[sorted.size() / 2];
  }
};

bool sameBits(const Bundle &bundle, const Executor &a, const Executor &b) {
  return std::ranges::all_of(bundle.outputs, [&](const BundleOutput &output) {
    const TableView left = a.table(output.buffer), right = b.table(output.buffer);
    return left.state == right.state &&
           std::memcmp(left.entries, right.entries, left.sizeElems * elementBytes(left.type)) == 0;
  });
}

class ThreadBench {
public:
  explicit ThreadBench(const ThreadBenchOptions &options)
      : options_(options), logRatios_(options.threads.size(), 0) {}

  void measure(const NetworkInstance &instance, const std::string &task) {
    const std::string name = fmt::format("{:28} {:4}", instance.name, task);
    try {
      measure(name, compile(instance, task));
    } catch (const Error &error) {
      fmt::print("{} {}\n", name, error.what());
    }
    std::fflush(stdout);
  }

  size_t finish() const {
    if (leftOut_ > 0)
      fmt::print("left out: {} programs that run in less than {:g} ms or more than {:g} ms\n",
                 leftOut_, options_.leastMs, options_.mostMs);
    for (size_t t = 1; count_ > 0 && t < logRatios_.size(); ++t)
      fmt::print("{} threads over {}: {:.2f} (geometric mean of {} programs)\n",
                 options_.threads[t], options_.threads[0],
                 std::exp(logRatios_[t] / static_cast<double>(count_)), count_);
    return different_;
  }

private:
  std::shared_ptr<const Bundle> compile(const NetworkInstance &instance,
                                        const std::string &task) const {
    NetworkTask asked;
    asked.model = instance.model;
    asked.evidence = instance.evidence;
    asked.task = task;
    asked.type = options_.type;
    asked.threads = options_.threads.back();
    asked.memoryGib = options_.memoryGib;
    asked.expectedRuns = options_.expectedRuns;
    NetworkRun phases;
    return compileNetwork(readNetwork(asked), asked, phases).bundle;
  }

  Contender open(const Bundle &bundle, unsigned threads) const {
    SessionOptions session;
    session.device = "cpu";
    session.threads = threads;
    session.expectedRuns = options_.expectedRuns;
    Contender contender{openExecutor(bundle, session)};
    bindTables(bundle, *contender.opened.executor);
    return contender;
  }

  void measure(const std::string &name, const std::shared_ptr<const Bundle> &bundle) {
    constexpr unsigned kUntimed = 2, kLeast = 3;
    std::vector<Contender> contenders;
    contenders.push_back(open(*bundle, options_.threads[0]));
    for (unsigned i = 0; i < kUntimed; ++i)
      contenders[0].run();
    const double oneMs = contenders[0].fastestMs();
    if (oneMs < options_.leastMs || oneMs > options_.mostMs) {
      ++leftOut_;
      return;
    }
    for (size_t t = 1; t < options_.threads.size(); ++t)
      contenders.push_back(open(*bundle, options_.threads[t]));
    Lap lap;
    double seconds = 0;
    for (unsigned i = 0; i < kLeast || seconds < options_.seconds; ++i, seconds += lap.next())
      for (Contender &contender : contenders)
        contender.run();
    fmt::print("{} {:5} operations: {:9.3f} ms (median {:.3f})", name, bundle->operations.size(),
               contenders[0].fastestMs(), contenders[0].medianMs());
    ++count_;
    for (size_t t = 1; t < contenders.size(); ++t) {
      const double ratio = contenders[0].fastestMs() / contenders[t].fastestMs();
      logRatios_[t] += std::log(ratio);
      fmt::print(", {} threads {:9.3f} ms (median {:.3f}), {:.2f}", options_.threads[t],
                 contenders[t].fastestMs(), contenders[t].medianMs(), ratio);
      if (!sameBits(*bundle, *contenders[0].opened.executor, *contenders[t].opened.executor)) {
        ++different_;
        fmt::print(", DIFFERENT");
      }
    }
    fmt::print("\n");
  }

  const ThreadBenchOptions &options_;
  std::vector<double> logRatios_; ///< sums of log ratios over programs, by number of threads
  size_t count_ = 0, different_ = 0, leftOut_ = 0;
};

} // namespace

size_t benchThreads(const ThreadBenchOptions &options) {
  ThreadBench bench(options);
  for (const NetworkInstance &instance : findInstances(options.paths)) {
    const auto isNamed = [&](const std::string &part) {
      return instance.name.find(part) != std::string::npos;
    };
    if (options.names.empty() || std::ranges::any_of(options.names, isNamed))
      for (const std::string &task : options.tasks)
        bench.measure(instance, task);
  }
  return bench.finish();
}

} // namespace mpf::bench
