// `mpf-bench threads`: runs of whole networks with several numbers of CPU threads, in turn within
// one process, so that whatever else the machine does meets all of them alike.
#pragma once

#include <string>
#include <vector>

namespace mpf::bench {

struct ThreadBenchOptions {
  std::vector<std::string> paths; ///< files and folders
  std::vector<std::string> names; ///< parts of names of instances; empty: all
  std::vector<std::string> tasks = {"PR", "MAR", "MPE"};
  std::vector<unsigned> threads = {1, 2}; ///< ratios are over the first
  std::string type = "f64";
  double leastMs = 20;  ///< programs that run faster with the first are not looked at
  double mostMs = 2000; ///< nor slower ones
  double seconds = 3;   ///< of measuring each program
  double memoryGib = 2; ///< of tables
  double expectedRuns = 1;
};

/// Prints a line per network and task: the fastest run with each number of threads and the ratios
/// to the first; then geometric means. Results of all numbers of threads are compared bit by bit;
/// returns how many differ.
size_t benchThreads(const ThreadBenchOptions &options);

} // namespace mpf::bench
