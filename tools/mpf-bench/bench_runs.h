// Whole programs that run again and again, all operations each time: how long a run takes once
// kernels and plans are there.
#pragma once

#include <string>
#include <vector>

namespace mpf::bench {

struct RunBenchOptions {
  std::vector<std::string> models; ///< files
  std::string query;               ///< of each model; empty: the only one
  std::string device = "gpu";
  std::string type = "f64";
  unsigned repeats = 200;
  bool profile = false; ///< also the operations of one run more, each timed by itself
};

/// Prints a line per model: the median of the runs with the fastest and the slowest. Throws Error
/// as compileFile and Executor do.
void benchRuns(const RunBenchOptions &options);

} // namespace mpf::bench
