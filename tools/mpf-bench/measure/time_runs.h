// Times a program that runs again and again by one schedule, computing all operations each time.
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
  std::string device = "gpu";      ///< "auto": on both, by `schedules`
  std::vector<std::string> schedules = {"auto"}; ///< SessionOptions::schedule, one after the other
  unsigned threads = 0;                          ///< of the CPU; 0: one per core
  std::string resident = "auto";                 ///< SessionOptions::resident
  unsigned slicesAtOnce = 0;                     ///< SessionOptions::slicesAtOnce
  std::string type = "f64";
  unsigned repeats = 200;
  double expectedRuns = 1e6;   ///< over which compiling a kernel pays: here every one does
  uint64_t maxMemoryBytes = 0; ///< of tables; 0: what the machine has
  bool simplified = false;     ///< values and evidence are final, as `mpfc run` has them
  uint64_t sessionRuns = 0;    ///< of one session each, instead (bench_session_runs.h)
  bool onDevice = false;       ///< values and results on the GPU, instead (bench_device_runs.h)
  bool profile = false;        ///< add one more run in which each operation is timed
};

/// With what the schedules need. Throws Error as compileFile.
Program compileForRuns(const std::string &model, const RunBenchOptions &options);

/// What a schedule is predicted to take, and how it spreads the operations.
struct PlacedProgram {
  PlacementChoice choice;
  OperationTimes times;
  double runUs = 0; ///< without what happens once
};
PlacedProgram placedBy(const std::string &schedule, const Bundle &bundle,
                       const RunBenchOptions &options);

/// Below the session, which would find constant messages computed; with the inputs' values. Throws
/// Error as Executor does.
OpenedExecutor openFor(const Bundle &bundle, const std::string &schedule,
                       const RunBenchOptions &options);

/// A program by one schedule.
struct RunTimes {
  size_t onGpu = 0; ///< operations
  uint32_t supersteps = 0;
  double predictedUs = 0; ///< without what happens once
  double medianUs = 0, fastestUs = 0, slowestUs = 0;
};

/// A run computes all operations and decodes the assignments of a query that has some.
RunTimes timeOpened(const Bundle &bundle, const OpenedExecutor &opened, const PlacedProgram &placed,
                    unsigned repeats);

/// Opens and times. The bundle's inputs all have values.
RunTimes timeRuns(const Bundle &bundle, const std::string &schedule,
                  const RunBenchOptions &options);

} // namespace mpf::bench
