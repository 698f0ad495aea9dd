// `mpf-bench threads`: runs whole networks with several numbers of CPU threads. They take turns
// within one process, so that other work of the machine slows all of them equally.
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
  double leastMs = 20;  ///< programs that run faster with the first number are left out
  double mostMs = 2000; ///< programs that run slower with the first number are left out
  double seconds = 3;   ///< time of measuring each program
  double memoryGib = 2; ///< memory bound of the tables
  double expectedRuns = 1;
};

/// Prints a line per network and task: the fastest run with each number of threads and the ratios
/// to the first; then geometric means. Results of all numbers of threads are compared bit by bit;
/// returns how many differ.
size_t benchThreads(const ThreadBenchOptions &options);

} // namespace mpf::bench
