#include "runtime/choose/jit_run_costs.h"

#include "codegen/bundle/table_driven_time.h"
#include "dsl/support/check.h"
#include "dsl/support/system/thread_count.h"
#include "runtime/execute/cpu/split_work.h"
#include "runtime/machine/stored_speed.h"
#include "runtime/predict/gpu_work.h"
#include "runtime/predict/place_program.h"
#include "runtime/predict/predict_gpu.h"
#include "runtime/predict/predict_placed.h"
#include "runtime/predict/predict_traceback.h"

#include <algorithm>
#include <cmath>
#include <functional>
#include <numeric>
#include <optional>
#include <vector>

namespace mpf {

namespace {

// These times are fitted to predictions of whole networks, which use the shape of every operation
// (tools/mpf-bench/results/2026-11-27-search.md). An entry costs the time of rows for a value that
// is loaded once, a term the time of tiles, and an operation the least time of entries.
constexpr double kRowUs = 5.6e-4, kTileUs = 1.1e-4;
/// Mean number of operands of a term; most terms are products of two. Kernels for logarithms and
/// whole numbers take their time for each operand.
constexpr double kOperands = 2.1;
/// A term of three messages or more takes rows (results/2026-11-28-search-predictions.md).
constexpr double kCrowdedRowUs = 2.3e-4;
/// Points at which the curves are read: times in the model of operations that are worth a search.
constexpr double kLargeUs = 120, kSmallUs = 0.036;
/// Threads wait for each other's branches, so n threads count as n to this power.
constexpr double kThreadPower = 0.7;
/// A thread of a GPU waits for each term, of so many operands. So many threads of a multiprocessor
/// work in each block as if they were alone.
constexpr size_t kTermOperands = 2;
constexpr double kBlockThreads = 256;
/// A level takes longer than its launch and one step, by this factor.
constexpr double kLevelFactor = 1.3;

// Time of a step of the search for orders on one thread, and the number of threads that share a
// round.
constexpr double kStepUs = 0.007;
constexpr double kSearchThreads = 4;

constexpr double kUsPerNs = 1e-3;

double searchStepUs(unsigned threads) {
  return kStepUs / std::min(kSearchThreads, static_cast<double>(threads));
}

double expectedRunsOf(const CompileSettings &settings) {
  return std::max(1.0, settings.expectedRuns.value_or(1));
}

/// Returns the conditions of a run on `threads` threads.
PlacementConditions conditionsFor(const CompileSettings &settings, unsigned threads) {
  const double runs = expectedRunsOf(settings);
  if (!runsHere(settings))
    return {threads, runs, shippedSpeed()};
  PlacementConditions conditions = conditionsHere(threads, runs);
  if (!settings.target.empty()) // another machine's GPU: its kernels count as compiled
    conditions.kernelsUs = 0;
  return conditions;
}

/// Returns the threads of the machine, not those of the settings: plans, and so results, must not
/// depend on the number of threads.
unsigned threadsFor(const CompileSettings &settings) {
  return runsHere(settings) ? coreCount() : 1;
}

bool isForGpu(const CompileSettings &settings) { return settings.devices.requiresGpu(); }

/// The placement of operations on a machine that may have a GPU.
struct OpenPlacement {
  PlacementMethod method;
  std::function<bool()> hasGpu;
};

/// Returns none if only the CPU can run the program.
std::optional<OpenPlacement> placementFor(const CompileSettings &settings) {
  if (!settings.devices.isOpen())
    return std::nullopt;
  const PlacementMethod method = settings.devices.method();
  if (!settings.target.empty())
    return OpenPlacement{method, [] { return true; }};
  if (!runsHere(settings) || !settings.machineHasGpu)
    return std::nullopt;
  return OpenPlacement{method, settings.machineHasGpu};
}

double sum(const std::vector<double> &timesUs) {
  return std::accumulate(timesUs.begin(), timesUs.end(), 0.0);
}

void setTraceback(RunCosts &costs, const TraceSpeed &speed) {
  costs.tracedStepUs = speed.stepUs;
  costs.tracedPartUs = speed.partUs;
}

double cpuUs(const Bundle &bundle, const PlacementConditions &conditions) {
  return sum(PlacedPredictor(bundle, conditions.speed, conditions.threads,
                             conditions.compiles ? conditions.expectedRuns : 0)
                 .onCpu()) +
         tracebackUs(bundle, StepDevice::Cpu, conditions.speed.gpu);
}

} // namespace

RunCosts cpuRunCosts(const CpuSpeed &speed, RunValues values, unsigned threads) {
  MPF_CHECK(threads > 0, "a run on {} threads", threads);
  const auto largeFactor = [](const TimeCurve &curve) { return curve.timeUs(kLargeUs) / kLargeUs; };
  RunCosts costs;
  const bool isInteger = isIntegerType(values.type);
  if (values.logs || isInteger) { // by operands of terms, as runtime/predict/predict_cpu.cpp
    const TimeCurve &curve = isInteger ? speed.integers : speed.logs;
    costs.operationUs = curve.timeUs(kSmallUs);
    costs.termUs =
        kOperands * (isInteger ? kIntegerTermNs : kLogTermNs) * kUsPerNs * largeFactor(curve);
    costs.entryUs = costs.crowdedTermUs = 0;
  } else {
    const double width = 1.0 * elementBytes(values.type) / elementBytes(ElementType::F64);
    costs.operationUs = speed.entries.timeUs(kSmallUs);
    costs.entryUs = width * kRowUs * largeFactor(speed.rows);
    costs.termUs = width * kTileUs * largeFactor(speed.tiles);
    costs.crowdedTermUs = width * kCrowdedRowUs * largeFactor(speed.rows);
  }
  costs.threads = std::pow(static_cast<double>(threads), kThreadPower);
  costs.wakeUs = speed.threads.wakeUs * std::log2(static_cast<double>(threads));
  costs.memory = speed.memory;
  costs.stepUs = searchStepUs(threads);
  setTraceback(costs, traceSpeed(StepDevice::Cpu, GpuSpeed()));
  return costs;
}

RunCosts gpuRunCosts(const GpuSpeed &speed, ElementType type, unsigned threads) {
  MPF_CHECK(threads > 0, "a search on {} threads", threads);
  const double blocks = speed.multiprocessors * speed.residentBlocks;
  const TableDrivenTerm term = tableDrivenTerm(Semiring(), type, false);
  RunCosts costs;
  costs.operationUs = speed.stepUs / blocks;
  costs.entryUs = elementBytes(type) / speed.bytesPerUs;
  costs.termUs = term.stretchUs(0, 1, kTermOperands) * speed.termFactor / (blocks * kBlockThreads);
  costs.crowdedTermUs = 0;
  costs.levelUs = kLevelFactor * (speed.launchUs + speed.stepUs);
  costs.stepUs = searchStepUs(threads);
  setTraceback(costs, traceSpeed(StepDevice::Gpu, speed));
  return costs;
}

RunCosts runCostsFor(const CompileSettings &settings, ElementType type) {
  return runCostsOn(settings, type, threadsFor(settings));
}

RunCosts runCostsOn(const CompileSettings &settings, ElementType type, unsigned threads) {
  const MachineSpeed speed = runsHere(settings) ? storedSpeed() : shippedSpeed();
  RunCosts costs = isForGpu(settings) ? gpuRunCosts(speed.gpu, type, threads)
                                      : cpuRunCosts(speed.cpu, {type, settings.forcedLog}, threads);
  costs.expectedRuns = expectedRunsOf(settings);
  if (!runsHere(settings))
    costs.memory = {}; // no machine is known whose memory has this price
  return costs;
}

OtherDevice otherDeviceFor(const CompileSettings &settings, ElementType type) {
  const std::optional<OpenPlacement> placement = placementFor(settings);
  if (!placement || placement->method != PlacementMethod::Auto)
    return {};
  CompileSettings onGpu = settings;
  onGpu.devices = DeviceRequest::gpu();
  const RunCosts costs = runCostsFor(onGpu, type);
  return {startUs(conditionsFor(settings, threadsFor(settings))),
          [costs, hasGpu = placement->hasGpu] {
            return hasGpu() ? std::optional(costs) : std::nullopt;
          }};
}

RunPrediction runPredictionFor(const CompileSettings &settings) {
  const bool onGpu = isForGpu(settings);
  const PlacementConditions conditions = conditionsFor(settings, threadsFor(settings));
  return [conditions, onGpu, placement = placementFor(settings)](const Bundle &bundle,
                                                                 PredictedKernels kernels) {
    if (onGpu)
      return sum(predictGpu(gpuWork(bundle, conditions.speed.gpu), conditions.speed.gpu)) +
             tracebackUs(bundle, StepDevice::Gpu, conditions.speed.gpu);
    PlacementConditions with = conditions;
    with.compiles = kernels == PredictedKernels::All;
    const double onCpuUs = cpuUs(bundle, with);
    const bool mayBePlaced = placement && onCpuUs > transferTimes(bundle, with).openUs;
    if (!mayBePlaced || !placement->hasGpu())
      return onCpuUs;
    return placeProgram(bundle, placement->method, with).timeUs;
  };
}

void completeCosts(CompileSettings &settings) {
  CompileSettings said = settings; // the settings without the members that are made here
  said.runCosts = nullptr;
  said.otherDevice = nullptr;
  said.predictRun = nullptr;
  settings.runCosts = [said](ElementType type) { return runCostsFor(said, type); };
  settings.otherDevice = [said](ElementType type) { return otherDeviceFor(said, type); };
  settings.predictRun = runPredictionFor(said);
}

} // namespace mpf
