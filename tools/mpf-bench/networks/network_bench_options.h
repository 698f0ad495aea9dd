// The options of `mpf-bench networks`.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

namespace mpf::bench {

/// One task on one network, for `mpf-bench network`: the process that answers it.
struct NetworkTask {
  std::string model;
  std::string evidence;       ///< file; empty: none
  std::string task = "PR";    ///< "PR", "MAR", "MPE"
  std::string device = "cpu"; ///< NetworkDevice::name (network_solvers.h)
  std::string arch;           ///< architecture of the GPU to plan for; empty: the machine's
  unsigned threads = 0;       ///< 0: one per core
  std::string type = "f64";
  double repeatSeconds = 0.2; ///< time of later runs, if the first takes less than ten times that
  double expectedRuns = 0;    ///< 0: the default of `mpfc run`
  double memoryGib = 0;       ///< memory bound of the tables on the CPU; 0: the machine's
  std::optional<uint64_t> planRounds; ///< CompileSettings::planRounds
  /// Whether each bucket is one task, as in the papers. Nothing is simplified, and buckets are
  /// neither joined nor cut, unless they have more functions than an operation takes.
  bool asBuckets = false;
  std::string json; ///< file for the NetworkRun
};

struct NetworkBenchOptions {
  std::vector<std::string> paths; ///< files and folders
  std::vector<std::string> names; ///< parts of names of instances; empty: all
  std::vector<std::string> tasks = {"PR", "MAR", "MPE"};
  std::vector<std::string> devices = {"cpu"};
  std::vector<unsigned> threads = {1};
  std::vector<std::string> peers;
  std::string arch;
  std::string type = "f64";
  double seconds = 20;  ///< time limit of each process
  double memoryGib = 4; ///< memory bound of tables on the CPU, and of peers
  double repeatSeconds = 0.2;
  double expectedRuns = 0;
  bool skipCold = false;          ///< whether to omit the process with an empty cache of kernels
  std::string python = "python3"; ///< the Python that imports the peers
  std::string peerScript = "network_peers.py";
  std::string jsonFile, htmlFile;
  std::string planningFile; ///< NAME of NAME.md and NAME.csv
  std::string command;      ///< the command line
};

} // namespace mpf::bench
