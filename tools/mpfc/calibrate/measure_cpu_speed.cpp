#include "tools/mpfc/calibrate/measure_cpu_speed.h"

#include "dsl/support/median.h"
#include "runtime/predict/predict_cpu.h"
#include "tools/mpfc/calibrate/measured_program.h"

#include <map>
#include <string>

namespace mpf::driver {

namespace {

/// Kernels are compiled for the larger operations alone, a dozen or two.
constexpr double kExpectedRuns = 2e4;

/// Operations that threads are measured by, and those that show what waking them costs.
constexpr double kLongUs = 1000, kShortUs = 100;

struct Observation {
  std::string_view path;
  double modelUs = 0, timeUs = 0;
};

/// The operations of a model, once each.
std::vector<Observation> observe(const CalibrationModel &model, unsigned threads) {
  MeasuredProgram program(model, "cpu", threads, kExpectedRuns);
  const std::vector<CpuPrediction> predicted =
      predictCpu(program.bundle(), CpuSpeed{}, 1, kExpectedRuns);
  std::vector<std::string_view> paths;
  for (const CpuPrediction &of : predicted)
    paths.push_back(of.path);
  const std::vector<double> times = program.operationsUs(paths);
  std::vector<Observation> observations;
  for (size_t i = 0; i < times.size(); ++i)
    observations.push_back({paths[i], predicted[i].modelUs, times[i]});
  return observations;
}

/// By operation, of one thread and of all.
struct Shared {
  double oneUs = 0, allUs = 0;
};

void fitThreads(const std::vector<Shared> &shared, unsigned threads, CpuSpeed &speed) {
  std::vector<double> gains, shares;
  for (const Shared &of : shared)
    if (of.oneUs > kLongUs)
      gains.push_back(std::clamp((of.oneUs / of.allUs - 1) / (threads - 1), 0.0, 1.0));
  if (!gains.empty())
    speed.threadGain = median(gains);
  for (const Shared &of : shared)
    if (of.oneUs > kShortUs && of.oneUs <= kLongUs)
      shares.push_back(std::max(0.0, of.allUs - of.oneUs / (1 + speed.threadGain * (threads - 1))));
  if (!shares.empty())
    speed.shareUs = median(shares);
}

} // namespace

CpuSpeed measureCpuSpeed(std::span<const CalibrationModel> models, unsigned threads) {
  std::map<std::string_view, std::vector<TimePoint>> byPath;
  std::vector<TimePoint> logs, integers;
  std::vector<Shared> shared;
  for (const CalibrationModel &model : models) {
    const std::vector<Observation> one = observe(model, 1);
    const std::vector<Observation> all =
        threads > 1 ? observe(model, threads) : std::vector<Observation>();
    for (size_t i = 0; i < one.size(); ++i) {
      if (one[i].timeUs == 0)
        continue;
      auto &points = model.forcedLog             ? logs
                     : isIntegerType(model.type) ? integers
                                                 : byPath[one[i].path];
      points.push_back({one[i].modelUs, one[i].timeUs});
      if (i < all.size() && all[i].timeUs != 0)
        shared.push_back({one[i].timeUs, all[i].timeUs});
    }
  }
  CpuSpeed speed = shippedSpeed().cpu;
  const auto fit = [](const std::vector<TimePoint> &points, TimeCurve &curve) {
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
    fitThreads(shared, threads, speed);
  return speed;
}

std::vector<double> cpuPredictedOverMeasured(std::span<const CalibrationModel> models,
                                             const CpuSpeed &speed, unsigned threads) {
  std::vector<double> ratios;
  for (const CalibrationModel &model : models) {
    MeasuredProgram program(model, "cpu", threads, kExpectedRuns);
    double predictedUs = 0;
    for (const CpuPrediction &of : predictCpu(program.bundle(), speed, threads, kExpectedRuns))
      predictedUs += of.timeUs;
    ratios.push_back(predictedUs / program.runUs());
  }
  return ratios;
}

} // namespace mpf::driver
