// Plans of networks and nothing else, for profilers and for comparing two versions of the compiler.
// Results: results/2026-11-27-planning-faster.md.
#include "codegen/bundle/write_bundle.h"
#include "dsl/support/error.h"
#include "dsl/support/hash.h"
#include "tools/mpf-bench/networks/compile_network.h"
#include "tools/mpf-bench/networks/instance_list.h"

#include <cstdio>
#include <fmt/core.h>
#include <string>
#include <string_view>
#include <vector>

namespace {

using namespace mpf;

constexpr std::string_view kOnlyRead = "READ"; ///< what a count of instructions takes off

/// One line: the instance, milliseconds of the phases, with `hashes` a hash of the bundle's bytes.
void planInstance(const bench::NetworkInstance &instance, const std::string &task,
                  const std::string &device, bool hashes) {
  bench::NetworkTask asked;
  asked.model = instance.model;
  asked.evidence = instance.evidence;
  asked.task = task;
  asked.device = device;
  asked.arch = "sm_90";
  asked.threads = 1;
  asked.memoryGib = 4; // plans must not depend on what the machine has left
  fmt::print("{} {} {}", instance.name, task, device);
  try {
    const Model model = bench::readNetwork(asked);
    if (task != kOnlyRead) {
      bench::NetworkRun run;
      const bench::CompiledNetwork compiled = bench::compileNetwork(model, asked, run);
      fmt::print(" simplify {:.1f} plan {:.1f} choose {:.1f}", run.seconds.simplifying * 1e3,
                 run.seconds.planning * 1e3, run.seconds.choosing * 1e3);
      if (hashes)
        fmt::print(" {}", HashBuilder().add(serializeBundle(*compiled.bundle)).finish().hex());
    }
  } catch (const Error &error) {
    fmt::print(" {}", error.what());
  }
  fmt::print("\n");
  std::fflush(stdout);
}

} // namespace

int main(int argc, char **argv) {
  std::vector<std::string> words(argv + 1, argv + argc);
  const bool hashes = std::erase(words, "--hash") != 0;
  if (words.size() < 3 || words.size() > 4) {
    fmt::print(stderr,
               "usage: bench_plans [--hash] PR|MAR|MPE|READ cpu|gpu PATH [NAME_OF_INSTANCE]\n");
    return 2;
  }
  try {
    for (const bench::NetworkInstance &instance : bench::findInstances({words[2]}))
      if (words.size() == 3 || instance.name == words[3])
        planInstance(instance, words[0], words[1], hashes);
  } catch (const std::exception &error) {
    fmt::print(stderr, "bench_plans: {}\n", error.what());
    return 1;
  }
  return 0;
}
