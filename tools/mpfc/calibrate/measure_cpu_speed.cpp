#include "tools/mpfc/calibrate/measure_cpu_speed.h"

#include "dsl/support/median.h"
#include "runtime/compile/cpp_compiler.h"
#include "runtime/predict/predict_cpu.h"
#include "runtime/predict/predict_threads.h"
#include "tools/mpfc/calibrate/measured_program.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <map>
#include <string>

namespace mpf::driver {

namespace {

/// Expected runs with which only a dozen or two of the larger operations have compiled kernels, and
/// with which none has.
constexpr double kExpectedRuns = 2e4, kBuiltInAlone = 0;

/// Returns the expected runs of the programs that run later: without a compiler, those of built-in
/// kernels.
double expectedRunsLater() { return findCppCompiler().empty() ? kBuiltInAlone : kExpectedRuns; }

/// Time of a run on one thread; shorter runs are not shared among threads.
constexpr double kShortUs = 150;

/// Most time of an operation in runs that measure the time of profiling.
constexpr double kTinyUs = 1;

constexpr double kLeastUs = 0.005; ///< least time of an operation in the fit

struct MeasuredRun {
  std::string_view path;
  double modelUs = 0, timeUs = 0; ///< the time includes profiling
};

/// The times of a model on one thread, except `allThreadsUs`.
struct ObservedModel {
  const CalibrationModel *model = nullptr;
  std::vector<MeasuredRun> operations; ///< once each, in the order of the program
  double runUs = 0;                    ///< median of whole runs without a profile
  double allThreadsUs = 0;             ///< the median on all threads; 0 if runs are short
  Bundle bundle;                       ///< program of the runs on all threads
};

ObservedModel observe(const CalibrationModel &model, double expectedRuns, unsigned threads) {
  MeasuredProgram program(model, "cpu", 1, expectedRuns);
  const std::vector<CpuPrediction> predicted =
      predictCpu(program.bundle(), CpuSpeed{}, 1, expectedRuns);
  std::vector<std::string_view> paths;
  for (const CpuPrediction &of : predicted)
    paths.push_back(of.path);
  const std::vector<double> times = program.operationsUs(paths);
  const double runUs = program.runMedianUs();
  ObservedModel observed{&model, {}, runUs, 0, {}};
  for (size_t i = 0; i < times.size(); ++i)
    observed.operations.push_back({paths[i], predicted[i].modelUs, times[i]});
  // Both are measured in close succession, because the load of the machine changes within seconds.
  if (threads > 1 && runUs > kShortUs) {
    MeasuredProgram onAll(model, "cpu", threads, expectedRuns);
    observed.allThreadsUs = onAll.runMedianUs();
    observed.bundle = onAll.bundle();
  }
  return observed;
}

/// Returns the time that a profile adds to each operation: reading the clock, and operations that
/// no longer overlap.
double profilingUs(std::span<const ObservedModel> models) {
  std::vector<double> added;
  for (const ObservedModel &model : models) {
    const auto count = static_cast<double>(model.operations.size());
    double sumUs = 0;
    for (const MeasuredRun &of : model.operations)
      sumUs += of.timeUs;
    if (model.runUs < kTinyUs * count)
      added.push_back(std::max(0.0, (sumUs - model.runUs) / count));
  }
  return added.empty() ? 0 : median(std::move(added));
}

/// Returns the predicted time of a run on `threads` threads, from the times of its operations on
/// one.
double spreadRunUs(const ObservedModel &of, unsigned threads, const CpuSpeed &speed) {
  double sumUs = 0;
  std::vector<double> oneThreadUs;
  for (const MeasuredRun &operation : of.operations) {
    oneThreadUs.push_back(operation.timeUs);
    sumUs += operation.timeUs;
  }
  for (double &timeUs : oneThreadUs) // scaled to the time without a profile
    timeUs *= of.runUs / sumUs;
  double runUs = 0;
  for (const double timeUs : spreadOverThreads(of.bundle, oneThreadUs, speed, threads))
    runUs += timeUs;
  return runUs;
}

/// Fits the costs of threads to all runs that threads can share. It takes least absolute deviations
/// of the logarithms, one cost after the other until none moves. Each cost stays near the shipped
/// one unless most runs agree. There are few runs, and on a shared machine one of them in a bad
/// minute could change a cost by a factor.
void fitThreads(std::span<const ObservedModel> models, unsigned threads, CpuSpeed &speed) {
  std::vector<const ObservedModel *> runs;
  for (const ObservedModel &of : models)
    if (of.allThreadsUs > 0 && !of.operations.empty())
      runs.push_back(&of);
  if (runs.empty())
    return;
  const ThreadCosts shipped = shippedSpeed().cpu.threads;
  constexpr double ThreadCosts::*kCosts[] = {&ThreadCosts::wakeUs, &ThreadCosts::handUs,
                                             &ThreadCosts::sharingUs, &ThreadCosts::crowding};
  // A cost changes the time of a run by a part of its change. With this weight a cost moves if most
  // runs agree.
  constexpr double kRidge = 0.06;
  const auto errorOf = [&](const ThreadCosts &costs) {
    CpuSpeed tried = speed;
    tried.threads = costs;
    double error = 0;
    for (const auto cost : kCosts)
      error += kRidge * static_cast<double>(runs.size()) *
               std::abs(std::log(costs.*cost / shipped.*cost));
    for (const ObservedModel *of : runs)
      error += std::abs(std::log(spreadRunUs(*of, threads, tried) / of->allThreadsUs));
    return error;
  };
  constexpr double kSteps[] = {0.5, 0.8, 1.25, 2};
  constexpr double kMostFactor = 20; // from the shipped cost, up and down
  constexpr int kMostRounds = 12;
  ThreadCosts best = shipped;
  double least = errorOf(best);
  bool hasMoved = true;
  for (int round = 0; round < kMostRounds && hasMoved; ++round) {
    hasMoved = false;
    for (const auto cost : kCosts)
      for (const double step : kSteps) {
        ThreadCosts tried = best;
        tried.*cost *= step;
        if (std::abs(std::log(tried.*cost / shipped.*cost)) > std::log(kMostFactor))
          continue;
        if (const double error = errorOf(tried); error < least) {
          least = error;
          best = tried;
          hasMoved = true;
        }
      }
  }
  speed.threads = best;
}

} // namespace

CpuSpeed measureCpuSpeed(std::span<const CalibrationModel> models, unsigned threads) {
  std::map<std::string_view, std::vector<MeasuredPoint>> byPath;
  std::vector<MeasuredPoint> logs, integers;
  std::vector<ObservedModel> observed;
  const double later = expectedRunsLater();
  for (const CalibrationModel &model : models) {
    if (later != kBuiltInAlone)
      observed.push_back(observe(model, kBuiltInAlone, 1));
    observed.push_back(observe(model, later, threads));
  }
  const double addedUs = profilingUs(observed);
  for (const ObservedModel &model : observed) {
    // An operation counts by its share of the run, because short ones among long ones find cold
    // caches.
    for (const MeasuredRun &of : model.operations) {
      auto &points = model.model->forcedLog             ? logs
                     : isIntegerType(model.model->type) ? integers
                                                        : byPath[of.path];
      const double timeUs = std::max(of.timeUs - addedUs, kLeastUs);
      if (of.timeUs != 0)
        points.push_back({of.modelUs, timeUs, timeUs / model.runUs});
    }
  }
  CpuSpeed speed = shippedSpeed().cpu;
  const auto fit = [](const std::vector<MeasuredPoint> &points, TimeCurve &curve) {
    if (TimeCurve fitted = fitCurve(points); !fitted.points().empty())
      curve = std::move(fitted);
  };
  fit(byPath["entries"], speed.entries);
  fit(byPath["rows"], speed.rows);
  fit(byPath["tiles"], speed.tiles);
  fit(byPath["compiled"], speed.compiled);
  fit(logs, speed.logs);
  fit(integers, speed.integers);
  if (threads > 1)
    fitThreads(observed, threads, speed);
  return speed;
}

std::vector<double> cpuPredictedOverMeasured(std::span<const CalibrationModel> models,
                                             const CpuSpeed &speed, unsigned threads) {
  const double expectedRuns = expectedRunsLater();
  std::vector<double> ratios;
  for (const CalibrationModel &model : models) {
    MeasuredProgram program(model, "cpu", threads, expectedRuns);
    double predictedUs = 0;
    for (const CpuPrediction &of : predictCpu(program.bundle(), speed, threads, expectedRuns))
      predictedUs += of.timeUs;
    ratios.push_back(predictedUs / program.runMedianUs());
  }
  return ratios;
}

} // namespace mpf::driver
