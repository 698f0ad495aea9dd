// Times a program that runs repeatedly by one schedule and computes all operations each time.
#pragma once

#include "codegen/bundle/bundle.h"
#include "runtime/api/session.h"
#include "runtime/predict/place_program.h"
#include "runtime/session/open_executor.h"

#include <cstddef>
#include <cstdint>
#include <string>
#include <vector>

namespace mpf::bench {

struct RunBenchOptions {
  std::vector<std::string> models; ///< model files
  std::string query;               ///< name of the query in each model; empty: the only one
  std::string device = "gpu";      ///< "auto": both devices, by `schedules`
  /// Returns the request for a run by one of `schedules`, which counts for open devices alone.
  DeviceRequest devicesFor(const std::string &schedule) const;
  std::vector<std::string> schedules = {"auto"}; ///< SessionOptions::schedule, one after the other
  unsigned threads = 0;                          ///< CPU threads; 0: one per core
  std::string resident = "auto";                 ///< SessionOptions::resident
  unsigned slicesAtOnce = 0;                     ///< SessionOptions::slicesAtOnce
  std::string type = "f64";
  unsigned repeats = 200;
  double expectedRuns = 1e6;   ///< runs over which compiling must pay; by default every kernel does
  uint64_t maxMemoryBytes = 0; ///< memory bound of tables; 0: that of the machine
  bool simplified = false;     ///< whether values and evidence are final, as in `mpfc run`
  uint64_t sessionRuns = 0;    ///< not 0: runs of a session instead (bench_session_runs.h)
  bool onDevice = false;       ///< values and results on the GPU instead (bench_device_runs.h)
  bool profile = false;        ///< whether one more run times each operation
};

/// Compiles a model for all schedules. Throws like compileFile.
Program compileForRuns(const std::string &model, const RunBenchOptions &options);

/// A schedule's placement of operations and its predicted times.
struct PlacedProgram {
  PlacementChoice choice;
  OperationTimes times;
  double runUs = 0; ///< predicted time of a run, without starting a GPU
};
PlacedProgram placedBy(const std::string &schedule, const Bundle &bundle,
                       const RunBenchOptions &options);

/// Opens an executor and binds the inputs. It is used without a session, which would not compute
/// constant messages again. Throws like Executor.
OpenedExecutor openFor(const Bundle &bundle, const std::string &schedule,
                       const RunBenchOptions &options);

/// Times of a program by one schedule.
struct RunTimes {
  size_t onGpu = 0; ///< number of operations on the GPU
  uint32_t supersteps = 0;
  double predictedUs = 0; ///< without starting a GPU
  double medianUs = 0, fastestUs = 0, slowestUs = 0;
};

/// Times runs. A run computes all operations, and decodes assignments if the query has some.
RunTimes timeOpened(const Bundle &bundle, const OpenedExecutor &opened, const PlacedProgram &placed,
                    unsigned repeats);

/// Opens an executor and times runs. All inputs of the bundle must have values.
RunTimes timeRuns(const Bundle &bundle, const std::string &schedule,
                  const RunBenchOptions &options);

} // namespace mpf::bench
