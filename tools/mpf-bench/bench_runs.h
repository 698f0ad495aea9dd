// Measures whole programs that run repeatedly, computing all operations each time: the time of a
// run once kernels and plans exist.
#pragma once

#include <string>
#include <vector>

namespace mpf::bench {

struct RunBenchOptions {
  std::vector<std::string> models; ///< model files
  std::string query;               ///< name of the query in each model; empty: the only one
  std::string device = "gpu";      ///< "auto": on both, by `schedules`
  std::vector<std::string> schedules = {"auto"}; ///< SessionOptions::schedule, one after the other
  unsigned threads = 0;                          ///< of the CPU; 0: one per core
  std::string type = "f64";
  unsigned repeats = 200;
  double expectedRuns = 1e6; ///< over which compiling a kernel pays: here every one does
  bool simplified = false;   ///< values and evidence are final, as `mpfc run` has them
  bool profile = false;      ///< add one more run in which each operation is timed
};

/// Prints a line per model and schedule: how the operations are spread, the predicted time of a
/// run, the median of the runs with the fastest and the slowest. Throws Error as compileFile and
/// Executor do.
void benchRuns(const RunBenchOptions &options);

} // namespace mpf::bench
