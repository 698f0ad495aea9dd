// mpf-bench: measurements that RESULTS.md reports. Never part of the tests' verdict.
#include "dsl/support/error.h"
#include "tools/mpf-bench/bench_kernels.h"

#include <CLI/CLI.hpp>
#include <cstdio>

int main(int argc, char **argv) {
  CLI::App app{"Measures kernels and stages of mpf; every line is a figure with its floor."};
  app.require_subcommand(1);

  mpf::bench::KernelBenchOptions kernels;
  CLI::App *kernelsCommand =
      app.add_subcommand("kernels", "specialised kernels on the GPU, canonical buckets");
  kernelsCommand->add_option("--shape", kernels.shapes, "buckets to run (default: all)");
  kernelsCommand->add_option("--type", kernels.types, "f32, f64")
      ->check(CLI::IsMember({"f32", "f64"}));
  kernelsCommand->add_option("--form", kernels.forms, "linear, log")
      ->check(CLI::IsMember({"linear", "log"}));
  kernelsCommand->add_option("--repeats", kernels.repeats, "timed launches per bucket");
  kernelsCommand->add_option("--dump", kernels.dumpFolder, "folder for plans and sources");

  CLI11_PARSE(app, argc, argv);
  try {
    return mpf::bench::benchKernels(kernels) == 0 ? 0 : 6;
  } catch (const mpf::Error &error) {
    std::fprintf(stderr, "mpf-bench: %s\n", error.what());
    return mpf::exitCode(error.kind());
  }
}
