#include "codegen/predict/device_run_costs.h"

#include "codegen/bundle/table_driven_time.h"
#include "codegen/machine/trace_speed.h"
#include "dsl/support/check.h"

#include <algorithm>
#include <cmath>

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

void setTraceback(RunCosts &costs, const TraceSpeed &speed) {
  costs.tracedStepUs = speed.stepUs;
  costs.tracedPartUs = speed.partUs;
}

} // namespace

RunCosts cpuRunCosts(const CpuSpeed &speed, RunArithmetic values, unsigned threads) {
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
  setTraceback(costs, cpuTraceSpeed());
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
  setTraceback(costs, gpuTraceSpeed(speed));
  return costs;
}

RunCosts deviceRunCosts(const Device &device, RunArithmetic values, unsigned threads) {
  if (const auto *gpu = std::get_if<GpuSpeed>(&device.speed))
    return gpuRunCosts(*gpu, values.type, threads);
  return cpuRunCosts(std::get<CpuSpeed>(device.speed), values, threads);
}

} // namespace mpf
