#include "runtime/api/jit_run_costs.h"

#include "dsl/support/check.h"
#include "dsl/support/system/thread_count.h"
#include "runtime/api/place_program.h"
#include "runtime/predict/gpu_work.h"
#include "runtime/predict/predict_gpu.h"
#include "runtime/predict/predict_placed.h"
#include "runtime/predict/stored_speed.h"

#include <algorithm>
#include <cmath>
#include <functional>
#include <numeric>
#include <optional>
#include <vector>

namespace mpf {

namespace {

// Fitted to predictions of whole networks, which go by the shape of every operation
// (tools/mpf-bench/results/2026-11-27-search.md): an entry costs what rows take for one that is
// loaded once, a term what tiles take, an operation the least that entries take.
constexpr double kRowUs = 5.6e-4, kTileUs = 1.1e-4;
/// Where the curves are read: model's times of operations that are worth a search.
constexpr double kLargeUs = 120, kSmallUs = 0.036;
/// Threads wait for each other's branches: so many threads are worth a power of them.
constexpr double kThreadPower = 0.7;
/// A thread of a GPU waits for a term of two operands of plain numbers; so many threads of a
/// multiprocessor do, in each block that works as if it were alone.
constexpr double kTableTermUs = 0.12, kBlockThreads = 256;
/// A level takes more than its launch and one step.
constexpr double kLevelFactor = 1.3;

// A step of the search for orders on one thread, and how many threads share a round.
constexpr double kStepUs = 0.007;
constexpr double kSearchThreads = 4;

double searchStepUs(unsigned threads) {
  return kStepUs / std::min(kSearchThreads, static_cast<double>(threads));
}

MachineSpeed speedFor(const CompileSettings &settings) {
  return runsHere(settings) ? storedSpeed() : shippedSpeed();
}

/// Those of the machine, not those asked for: results, which depend on the plan, are to be the same
/// for any number of threads.
unsigned threadsFor(const CompileSettings &settings) {
  return runsHere(settings) ? coreCount() : 1;
}

double expectedRunsOf(const CompileSettings &settings) {
  return std::max(1.0, settings.expectedRuns.value_or(1));
}

bool isForGpu(const CompileSettings &settings) { return settings.device == "gpu"; }

/// How operations are spread, where there is a GPU.
struct OpenPlacement {
  PlacementMethod method;
  std::function<bool()> hasGpu;
};

/// None for a CPU alone.
std::optional<OpenPlacement> placementFor(const CompileSettings &settings) {
  if (settings.device != "auto")
    return std::nullopt;
  const PlacementMethod method = placementMethodNamed(settings.schedule);
  if (!settings.target.empty())
    return OpenPlacement{method, [] { return true; }};
  if (!runsHere(settings) || !settings.machineHasGpu)
    return std::nullopt;
  return OpenPlacement{method, settings.machineHasGpu};
}

double sum(const std::vector<double> &timesUs) {
  return std::accumulate(timesUs.begin(), timesUs.end(), 0.0);
}

double cpuUs(const Bundle &bundle, const PlacementConditions &conditions) {
  return sum(PlacedPredictor(bundle, conditions.speed, conditions.threads,
                             conditions.compiles ? conditions.expectedRuns : 0)
                 .onCpu());
}

} // namespace

RunCosts cpuRunCosts(const CpuSpeed &speed, unsigned threads) {
  MPF_CHECK(threads > 0, "a run on {} threads", threads);
  RunCosts costs;
  costs.operationUs = speed.entries.timeUs(kSmallUs);
  costs.entryUs = kRowUs * speed.rows.timeUs(kLargeUs) / kLargeUs;
  costs.termUs = kTileUs * speed.tiles.timeUs(kLargeUs) / kLargeUs;
  costs.threads = std::pow(static_cast<double>(threads), kThreadPower);
  costs.wakeUs = speed.threads.wakeUs * std::log2(static_cast<double>(threads));
  costs.stepUs = searchStepUs(threads);
  return costs;
}

RunCosts gpuRunCosts(const GpuSpeed &speed, double elementBytes, unsigned threads) {
  MPF_CHECK(threads > 0 && elementBytes > 0, "entries of {} bytes, {} threads", elementBytes,
            threads);
  const double blocks = speed.multiprocessors * speed.residentBlocks;
  RunCosts costs;
  costs.operationUs = speed.stepUs / blocks;
  costs.entryUs = elementBytes / speed.bytesPerUs;
  costs.termUs = kTableTermUs * speed.termFactor / (blocks * kBlockThreads);
  costs.levelUs = kLevelFactor * (speed.launchUs + speed.stepUs);
  costs.stepUs = searchStepUs(threads);
  return costs;
}

RunCosts runCostsFor(const CompileSettings &settings) {
  const MachineSpeed speed = speedFor(settings);
  const unsigned threads = threadsFor(settings);
  const double bytes = elementBytes(settings.type.value_or(ElementType::F64));
  RunCosts costs =
      isForGpu(settings) ? gpuRunCosts(speed.gpu, bytes, threads) : cpuRunCosts(speed.cpu, threads);
  costs.expectedRuns = expectedRunsOf(settings);
  return costs;
}

OtherDevice otherDeviceFor(const CompileSettings &settings) {
  const std::optional<OpenPlacement> placement = placementFor(settings);
  if (!placement || placement->method != PlacementMethod::Auto)
    return {};
  const MachineSpeed speed = speedFor(settings);
  CompileSettings onGpu = settings;
  onGpu.device = "gpu";
  const RunCosts costs = runCostsFor(onGpu);
  return {speed.gpu.openUs, [costs, hasGpu = placement->hasGpu] {
            return hasGpu() ? std::optional(costs) : std::nullopt;
          }};
}

RunPrediction runPredictionFor(const CompileSettings &settings) {
  const bool onGpu = isForGpu(settings);
  const PlacementConditions conditions{threadsFor(settings), expectedRunsOf(settings),
                                       speedFor(settings)};
  return [conditions, onGpu, placement = placementFor(settings)](const Bundle &bundle,
                                                                 PredictedKernels kernels) {
    if (onGpu)
      return sum(predictGpu(gpuWork(bundle, conditions.speed.gpu), conditions.speed.gpu));
    PlacementConditions with = conditions;
    with.compiles = kernels == PredictedKernels::All;
    const double onCpuUs = cpuUs(bundle, with);
    const bool mayBePlaced = placement && onCpuUs > transferTimes(bundle, with).openUs;
    if (!mayBePlaced || !placement->hasGpu())
      return onCpuUs;
    return placeProgram(bundle, placement->method, with).timeUs;
  };
}

} // namespace mpf
