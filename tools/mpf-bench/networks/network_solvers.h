// The solvers of a campaign: mpf on each device with each number of threads, and other programs.
#pragma once

#include "codegen/machine/device_request.h"
#include "tools/mpf-bench/networks/instance_list.h"
#include "tools/mpf-bench/networks/network_bench_options.h"

#include <string>
#include <string_view>
#include <vector>

namespace mpf::bench {

/// The device of a run of mpf: one device, or both by a method of placement.
struct NetworkDevice {
  std::string_view name;
  DeviceRequest devices;
  bool needsGpu = false;
  bool takesThreads = false;
  bool hidesCopies = true; ///< SessionOptions::hidesCopies
};

/// Returns all devices. Options, child processes and tables use this list.
const std::vector<NetworkDevice> &networkDevices();
/// Returns the device of a name. Throws Error(Usage) for unknown names.
const NetworkDevice &networkDeviceNamed(std::string_view name);
std::vector<std::string> networkDeviceNames();
/// Another program, which network_peers.py can start.
struct NetworkPeer {
  std::string_view name;
  std::vector<std::string_view> tasks; ///< tasks that it answers
};
const std::vector<NetworkPeer> &networkPeers();
std::vector<std::string> networkPeerNames();

struct NetworkSolver {
  std::string name;          ///< "mpf cpu 2", "pyagrum"
  std::string device;        ///< NetworkDevice::name for mpf; empty: another program
  unsigned threads = 0;      ///< number of CPU threads
  bool keepsKernels = false; ///< whether later processes find compiled kernels on disk
  std::vector<std::string_view> tasks = {"PR", "MAR", "MPE"}; ///< tasks that it answers
};

/// Returns the solvers that the options select, mpf first.
std::vector<NetworkSolver> networkSolvers(const NetworkBenchOptions &options);

/// Paths in a command.
struct SolverFiles {
  std::string self;        ///< mpf-bench
  std::string script;      ///< network_peers.py
  std::string uai;         ///< the network for other programs
  std::string uaiEvidence; ///< the evidence for other programs
  std::string result;      ///< the NetworkRun that the process writes
};

/// Returns the command of the process that answers `task`.
std::vector<std::string> solverCommand(const NetworkSolver &solver, const NetworkInstance &instance,
                                       const std::string &task, const SolverFiles &files,
                                       const NetworkBenchOptions &options);

} // namespace mpf::bench
