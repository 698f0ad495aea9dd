#include "tools/mpfc/calibrate/measured_program.h"

#include "dsl/support/median.h"
#include "runtime/execute/host/bind_input.h"
#include "runtime/library/jit_model.h"

#include <chrono>
#include <utility>

namespace mpf::driver {

namespace {

/// Numbers of runs; long runs are timed fewer times.
constexpr int kUntimedRuns = 3, kTimedRuns = 9, kFewTimedRuns = 3;
constexpr double kSlowRunUs = 10e3;

using Clock = std::chrono::steady_clock;

double microsecondsSince(Clock::time_point start) {
  return std::chrono::duration<double, std::micro>(Clock::now() - start).count();
}

CompileOptions compileOptions(const CalibrationModel &model, const std::string &device,
                              double expectedRuns) {
  CompileOptions options;
  options.device = device;
  options.type = elementTypeName(model.type);
  options.forcedLog = model.forcedLog;
  if (model.maxMemoryBytes != 0)
    options.maxMemoryBytes = model.maxMemoryBytes;
  options.expectedRuns = expectedRuns;
  options.autotune = 0;
  return options;
}

} // namespace

MeasuredProgram::MeasuredProgram(const CalibrationModel &model, const std::string &device,
                                 unsigned threads, double expectedRuns, const std::string &resident)
    : program_(compileModel(model.model, compileOptions(model, device, expectedRuns))) {
  SessionOptions session;
  session.device = device;
  session.threads = threads;
  session.expectedRuns = expectedRuns;
  session.resident = resident;
  opened_ = openExecutor(bundle(), session);
  bindTables(bundle(), executor());
}

double MeasuredProgram::timeRun(const RunRequest &request) {
  const Clock::time_point start = Clock::now();
  executor().run(opened_.schedule.steps, request);
  return microsecondsSince(start);
}

int MeasuredProgram::warmUp() {
  double lastUs = 0;
  for (int i = 0; i < kUntimedRuns; ++i)
    lastUs = timeRun({});
  return lastUs < kSlowRunUs ? kTimedRuns : kFewTimedRuns;
}

double MeasuredProgram::runMedianUs() {
  const int runs = warmUp();
  std::vector<double> times;
  for (int i = 0; i < runs; ++i)
    times.push_back(timeRun({}));
  return median(std::move(times));
}

std::vector<double>
MeasuredProgram::operationsUs(const std::vector<std::string_view> &predictedPaths) {
  const int runs = warmUp();
  std::vector<std::vector<double>> times(bundle().operations.size());
  for (int i = 0; i < runs; ++i) {
    timeRun({true, 0, {}});
    for (const OperationProfile &ran : executor().profile())
      if (std::string_view(ran.path).starts_with(predictedPaths[ran.operation]) &&
          ran.log == bundle().forcedLog)
        times[ran.operation].push_back(ran.timeUs);
  }
  std::vector<double> medians;
  for (std::vector<double> &of : times)
    medians.push_back(of.empty() ? 0 : median(std::move(of)));
  return medians;
}

} // namespace mpf::driver
