// One calibration model on one device: compiled, bound, and run for its times.
#pragma once

#include "runtime/api/session.h"
#include "runtime/session/open_executor.h"
#include "tools/mpfc/calibrate/calibration_models.h"

#include <vector>

namespace mpf::driver {

class MeasuredProgram {
public:
  /// `device`: "cpu" or "gpu"; `resident`: as in SessionOptions. Throws as sessions do.
  MeasuredProgram(const CalibrationModel &model, const std::string &device, unsigned threads,
                  double expectedRuns, const std::string &resident = "auto");

  const Bundle &bundle() const { return program_.bundle(); }
  Executor &executor() { return *opened_.executor; }

  /// Returns the median of whole runs, after some that do not count.
  double runMedianUs();
  /// Returns the median time of each operation on the CPU, by index, with the time that profiling
  /// adds. 0: it did not run on the path and in the form that was predicted.
  std::vector<double> operationsUs(const std::vector<std::string_view> &predictedPaths);

private:
  double timeRun(const RunRequest &request);
  /// Makes runs that do not count; returns how many runs should be timed.
  int warmUp();

  Program program_;
  OpenedExecutor opened_;
};

} // namespace mpf::driver
