// Who answers: mpf on each device with each number of threads, and other programs.
#pragma once

#include "tools/mpf-bench/networks/instance_list.h"
#include "tools/mpf-bench/networks/network_bench_options.h"

#include <string>
#include <string_view>
#include <vector>

namespace mpf::bench {

/// What programs run on: a device, or both at once by a method of placement.
struct NetworkDevice {
  std::string_view name;
  std::string_view device;   ///< as sessions know it (runtime/api/session.h)
  std::string_view schedule; ///< likewise
  bool needsGpu = false;
  bool takesThreads = false;
  bool hidesCopies = true; ///< likewise
};

/// All devices; the options, the child processes and the tables go by it.
const std::vector<NetworkDevice> &networkDevices();
/// Throws Error(Usage) for another name.
const NetworkDevice &networkDeviceNamed(std::string_view name);
std::vector<std::string> networkDeviceNames();
/// Another program, which network_peers.py knows.
struct NetworkPeer {
  std::string_view name;
  std::vector<std::string_view> tasks; ///< that it is asked
};
const std::vector<NetworkPeer> &networkPeers();
std::vector<std::string> networkPeerNames();

struct NetworkSolver {
  std::string name;          ///< "mpf cpu 2", "pyagrum"
  std::string device;        ///< of mpf (NetworkDevice::name); empty: another program
  unsigned threads = 0;      ///< of either
  bool keepsKernels = false; ///< compiled kernels on disk: a first process finds none
  std::vector<std::string_view> tasks = {"PR", "MAR", "MPE"}; ///< that it is asked
};

/// Those that the options ask for, mpf first.
std::vector<NetworkSolver> networkSolvers(const NetworkBenchOptions &options);

/// Paths that a command names.
struct SolverFiles {
  std::string self;        ///< mpf-bench
  std::string script;      ///< network_peers.py
  std::string uai;         ///< the network for other programs
  std::string uaiEvidence; ///< and its evidence
  std::string result;      ///< the NetworkRun that the process writes
};

/// The command of the process that answers `task`.
std::vector<std::string> solverCommand(const NetworkSolver &solver, const NetworkInstance &instance,
                                       const std::string &task, const SolverFiles &files,
                                       const NetworkBenchOptions &options);

} // namespace mpf::bench
