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

/// Kernels are compiled for the larger operations alone, a dozen or two; for none without runs.
constexpr double kExpectedRuns = 2e4, kBuiltInAlone = 0;

/// Of one thread: shorter runs are not shared.
constexpr double kShortUs = 150;

/// A run whose operations take no more than this tells what profiling adds to each.
constexpr double kTinyUs = 1;

constexpr double kLeastUs = 0.005; ///< of an operation, however short it seems

struct Observation {
  std::string_view path;
  double modelUs = 0, timeUs = 0; ///< the time with what profiling adds
};

/// On one thread, unless it says otherwise.
struct ObservedModel {
  const CalibrationModel *model = nullptr;
  std::vector<Observation> operations; ///< once each, in the order of the program
  double runUs = 0;                    ///< of whole runs without a profile, the median
  double allThreadsUs = 0;             ///< the same; of runs that are short 0
  Bundle bundle;                       ///< of these
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
  // At once: what others do on the machine changes within seconds.
  if (threads > 1 && runUs > kShortUs) {
    MeasuredProgram onAll(model, "cpu", threads, expectedRuns);
    observed.allThreadsUs = onAll.runMedianUs();
    observed.bundle = onAll.bundle();
  }
  return observed;
}

/// What a profile adds to each operation: its clock, and that operations no longer overlap.
double profilingUs(std::span<const ObservedModel> models) {
  std::vector<double> added;
  for (const ObservedModel &model : models) {
    const auto count = static_cast<double>(model.operations.size());
    double sumUs = 0;
    for (const Observation &of : model.operations)
      sumUs += of.timeUs;
    if (model.runUs < kTinyUs * count)
      added.push_back(std::max(0.0, (sumUs - model.runUs) / count));
  }
  return added.empty() ? 0 : median(std::move(added));
}

/// What the run is predicted to take on `threads` threads, from what its operations took on one.
double spreadRunUs(const ObservedModel &of, unsigned threads, const CpuSpeed &speed) {
  double sumUs = 0;
  std::vector<double> oneThreadUs;
  for (const Observation &operation : of.operations) {
    oneThreadUs.push_back(operation.timeUs);
    sumUs += operation.timeUs;
  }
  for (double &timeUs : oneThreadUs) // without the profile
    timeUs *= of.runUs / sumUs;
  double runUs = 0;
  for (const double timeUs : spreadOverThreads(of.bundle, oneThreadUs, speed, threads))
    runUs += timeUs;
  return runUs;
}

/// The costs of threads by all runs that they can share, least absolute deviations of the
/// logarithms, one cost after the other until none moves. Each stays near the shipped one unless
/// most runs agree: they are few, and on a shared machine one of them in a bad minute would move it
/// by a factor.
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
  // A run changes by a part of what one of its costs does: this is where most of them want another.
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
  constexpr double kMostFactor = 20; // of the shipped cost, up and down
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
  for (const CalibrationModel &model : models)
    for (const double runs : {kBuiltInAlone, kExpectedRuns}) // threads: as programs run later
      observed.push_back(observe(model, runs, runs == kExpectedRuns ? threads : 1));
  const double addedUs = profilingUs(observed);
  for (const ObservedModel &model : observed) {
    // An operation counts by its share of the run: among long ones the short find cold caches.
    for (const Observation &of : model.operations) {
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
  const double expectedRuns = findCppCompiler().empty() ? kBuiltInAlone : kExpectedRuns;
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
