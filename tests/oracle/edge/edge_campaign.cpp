// Compares random models at the edges of f64 with exact answers: edge_campaign.
#include "codegen/simplify/simplify_pipeline.h"
#include "dsl/support/number_text.h"
#include "runtime/machine/gpu_backend.h"
#include "tests/oracle/edge/edge_models.h"
#include "tests/oracle/edge/edge_report.h"

#include <atomic>
#include <chrono>
#include <cstdio>
#include <mutex>
#include <string_view>
#include <thread>

namespace mpf::oracle {
namespace {

constexpr const char *kUsage =
    R"(usage: edge_campaign [--models N] [--seed S] [--device cpu|compiled|gpu] [--seconds T]
                     [--jobs J] [--show K] [--only NUMBER] [--off-pass NAME]

Exit code 0: every case right or rightly refused; 1: a failure; 2: the command cannot be run.
--device compiled: every operation on the CPU by a kernel of the system's C++ compiler.
--only repeats one model of the campaign with that seed; --show: kinds of failure to shrink;
--off-pass leaves a pass of the simplifier out of all cases, to see what its faults hide; repeatable.
)";

struct CampaignOptions {
  uint64_t models = 1000, seed = 1, seconds = UINT64_MAX, jobs = 1, show = 5, only = UINT64_MAX;
  bool gpu = false, compiled = false;
  std::vector<std::string> offPasses;
};

/// Returns false for anything that is not in the usage.
bool readOptions(int argc, char **argv, CampaignOptions &options) {
  for (int i = 1; i + 1 < argc; i += 2) {
    const std::string_view name = argv[i], text = argv[i + 1];
    if (name == "--device" && (text == "cpu" || text == "compiled" || text == "gpu")) {
      options.gpu = text == "gpu";
      options.compiled = text == "compiled";
      continue;
    }
    if (name == "--off-pass" && isSimplifyPass(text)) {
      options.offPasses.emplace_back(text);
      continue;
    }
    uint64_t *target = name == "--models"    ? &options.models
                       : name == "--seed"    ? &options.seed
                       : name == "--seconds" ? &options.seconds
                       : name == "--jobs"    ? &options.jobs
                       : name == "--show"    ? &options.show
                       : name == "--only"    ? &options.only
                                             : nullptr;
    const std::optional<uint64_t> value = parseUnsigned(text);
    if (target == nullptr || !value)
      return false;
    *target = *value;
  }
  return argc % 2 == 1 && options.jobs > 0 && options.jobs <= 1024;
}

/// Runs some queries of a model, each in several ways.
void runModel(const CampaignOptions &options, uint64_t number, EdgeReport &report) {
  std::seed_seq seed{options.seed, options.seed >> 32, number, number >> 32};
  std::mt19937_64 random(seed);
  for (int query = 0; query < 2; ++query) {
    EdgeCase edge = drawCase(random);
    const std::vector<ExactAnswer> wanted = exactAnswers(edge);
    for (int way = 0; way < 3; ++way) {
      edge.options = drawOptions(random, edge, options.gpu);
      edge.options.compiled = options.compiled;
      for (const std::string &name : options.offPasses) {
        edge.options.path = EdgePath::Direct; // texts are compiled with all passes
        edge.options.offPasses.push_back(name);
      }
      report.add(number, edge, runCase(edge, wanted));
    }
  }
}

EdgeReport runModels(const CampaignOptions &options) {
  const auto start = std::chrono::steady_clock::now();
  const bool one = options.only != UINT64_MAX;
  const uint64_t end = one ? options.only + 1 : options.models;
  std::atomic<uint64_t> next = one ? options.only : 0;
  std::mutex mutex;
  EdgeReport report;
  std::vector<std::jthread> workers;
  for (uint64_t job = 0; job < options.jobs; ++job)
    workers.emplace_back([&] {
      EdgeReport own;
      for (uint64_t number = next++; number < end; number = next++) {
        const std::chrono::duration<double> time = std::chrono::steady_clock::now() - start;
        if (time.count() > static_cast<double>(options.seconds))
          break;
        runModel(options, number, own);
      }
      const std::lock_guard lock(mutex);
      report.merge(own);
    });
  workers.clear();
  const std::chrono::duration<double> time = std::chrono::steady_clock::now() - start;
  std::fprintf(stderr, "%.1f s, %.0f cases/s\n", time.count(),
               static_cast<double>(report.cases()) / time.count());
  return report;
}

int campaign(const CampaignOptions &options) {
  if (options.gpu && !gpuBackendUnavailable().empty()) {
    std::fprintf(stderr, "edge_campaign: %s\n", gpuBackendUnavailable().c_str());
    return 2;
  }
  const EdgeReport report = runModels(options);
  uint64_t shown = 0;
  for (const auto &[kind, failures] : report.failures()) {
    if (shown++ == options.show)
      break;
    std::printf("== %s\n%s\n", kind.c_str(), shrunkText(failures, options.seed).c_str());
    std::fflush(stdout);
  }
  std::printf("%s", report.table().c_str());
  return report.hasFailures() ? 1 : 0;
}

} // namespace
} // namespace mpf::oracle

int main(int argc, char **argv) {
  mpf::oracle::CampaignOptions options;
  if (!mpf::oracle::readOptions(argc, argv, options)) {
    std::fputs(mpf::oracle::kUsage, stderr);
    return 2;
  }
  return mpf::oracle::campaign(options);
}
