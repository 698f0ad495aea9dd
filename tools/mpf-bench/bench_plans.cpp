// Plans networks and does nothing else, for profilers and for comparing versions of the compiler.
// Results: results/2026-11-27-planning-faster.md.
#include "codegen/bundle/forms/program_file.h"
#include "dsl/support/error.h"
#include "dsl/support/hash.h"
#include "tools/mpf-bench/measure/clock_seconds.h"
#include "tools/mpf-bench/networks/compile_network.h"
#include "tools/mpf-bench/networks/instance_list.h"
#include "tools/mpf-bench/networks/solve_network.h"

#include <CLI/CLI.hpp>
#include <cstdio>
#include <fmt/core.h>
#include <string>
#include <string_view>

namespace {

using namespace mpf;

constexpr std::string_view kOnlyRead = "READ"; ///< only reads: count_planning.py subtracts this

struct PlanWords {
  bench::NetworkTask task; ///< without its files
  bool hashes = false;     ///< whether to print hashes of the bundles' bytes
  bool predicts = false;   ///< whether to predict the time of a run
};

/// Prints one line: the instance, the wall-clock milliseconds of each phase, and the processor time
/// of all.
void planInstance(const bench::NetworkInstance &instance, const PlanWords &words) {
  bench::NetworkTask task = words.task;
  task.model = instance.model;
  task.evidence = instance.evidence;
  fmt::print("{} {} {}", instance.name, task.task, task.device);
  try {
    const Model model = bench::readNetwork(task);
    if (task.task != kOnlyRead) {
      bench::NetworkRun run;
      const double before = bench::processSeconds();
      const bench::CompiledNetwork compiled = bench::compileNetwork(model, task, run);
      const double taken = bench::processSeconds() - before;
      fmt::print(" simplify {:.1f} plan {:.1f} choose {:.1f} processor {:.2f}",
                 run.seconds.simplifying * 1e3, run.seconds.planning * 1e3,
                 run.seconds.choosing * 1e3, taken * 1e3);
      if (words.predicts) {
        bench::addPrediction(compiled, task, run);
        fmt::print(" run {:.6g} open {:.6g}", run.predictedRunUs * 1e-3,
                   run.predictedOpenUs * 1e-3);
      }
      if (words.hashes)
        fmt::print(" {}", HashBuilder().add(programBytes(*compiled.bundle)).finish().hex());
    }
  } catch (const Error &error) {
    fmt::print(" {}", error.what());
  }
  fmt::print("\n");
  std::fflush(stdout);
}

} // namespace

int main(int argc, char **argv) {
  PlanWords words;
  words.task.arch = "sm_90";
  words.task.threads = 1;
  words.task.memoryGib = 4; // plans must not depend on what the machine has left
  std::string path, name;
  CLI::App app("plans networks, and runs none");
  app.add_option("task", words.task.task, "PR, MAR, MPE, or READ alone")->required();
  app.add_option("device", words.task.device, "cpu, gpu, auto, greedy, acceleration")->required();
  app.add_option("path", path, "file or folder")->required();
  app.add_option("name", name, "of an instance; all");
  app.add_flag("--hash", words.hashes, "with a hash of each bundle's bytes");
  app.add_flag("--predict", words.predicts,
               "with the predicted times of a run and of opening the GPU");
  app.add_option("--expected-runs", words.task.expectedRuns, "over which planning must pay");
  app.add_option("--plan-rounds", words.task.planRounds, "rounds of the search for orders");
  CLI11_PARSE(app, argc, argv);
  try {
    for (const bench::NetworkInstance &instance : bench::findInstances({path}))
      if (name.empty() || instance.name == name)
        planInstance(instance, words);
  } catch (const std::exception &error) {
    fmt::print(stderr, "bench_plans: {}\n", error.what());
    return 1;
  }
  return 0;
}
