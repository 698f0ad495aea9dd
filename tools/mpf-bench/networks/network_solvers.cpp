#include "tools/mpf-bench/networks/network_solvers.h"

#include "dsl/support/check.h"

#include <algorithm>
#include <fmt/core.h>

namespace mpf::bench {

const std::vector<NetworkDevice> &networkDevices() {
  static const std::vector<NetworkDevice> kDevices = {
      {"cpu", DeviceRequest::cpu(), false, true},
      {"gpu", DeviceRequest::gpu(), true, false},
      {"gpu-synchronous", DeviceRequest::gpu(), true, false, false},
      {"auto", {}, false, true}, // both at once, where that is predicted to gain
      {"greedy", {{}, PlacementMethod::Greedy}, true, true},
      {"acceleration", {{}, PlacementMethod::Acceleration}, true, true},
  };
  return kDevices;
}

const NetworkDevice &networkDeviceNamed(std::string_view name) {
  const auto at = std::ranges::find(networkDevices(), name, &NetworkDevice::name);
  if (at == networkDevices().end())
    fail(ErrorKind::Usage, "there is no device {}", name);
  return *at;
}

std::vector<std::string> networkDeviceNames() {
  std::vector<std::string> names;
  for (const NetworkDevice &device : networkDevices())
    names.emplace_back(device.name);
  return names;
}

const std::vector<NetworkPeer> &networkPeers() {
  static const std::vector<NetworkPeer> kPeers = {
      {"pyagrum", {"PR", "MAR", "MPE"}},
      {"opt_einsum-numpy", {"PR"}},
      {"opt_einsum-torch", {"PR"}},
      {"jax", {"PR"}},
      {"toulbar2", {"MPE"}},
      {"merlin", {"PR", "MAR", "MPE"}},
  };
  return kPeers;
}

std::vector<std::string> networkPeerNames() {
  std::vector<std::string> names;
  for (const NetworkPeer &peer : networkPeers())
    names.emplace_back(peer.name);
  return names;
}

std::vector<NetworkSolver> networkSolvers(const NetworkBenchOptions &options) {
  std::vector<NetworkSolver> solvers;
  for (const NetworkDevice &device : networkDevices()) {
    if (std::ranges::find(options.devices, device.name) == options.devices.end())
      continue;
    const std::string name = fmt::format("mpf {}", device.name);
    if (!device.takesThreads)
      solvers.push_back({name, std::string(device.name), 0, true});
    else
      for (const unsigned threads : options.threads)
        solvers.push_back(
            {fmt::format("{} {}", name, threads), std::string(device.name), threads, true});
  }
  for (const NetworkPeer &peer : networkPeers())
    if (std::ranges::find(options.peers, peer.name) != options.peers.end())
      solvers.push_back({std::string(peer.name), "", *std::ranges::max_element(options.threads),
                         false, peer.tasks});
  return solvers;
}

std::vector<std::string> solverCommand(const NetworkSolver &solver, const NetworkInstance &instance,
                                       const std::string &task, const SolverFiles &files,
                                       const NetworkBenchOptions &options) {
  const std::string threads = fmt::format("{}", solver.threads);
  const std::string memory = fmt::format("{}", options.memoryGib);
  if (solver.device.empty())
    return {options.python,
            files.script,
            "--peer",
            solver.name,
            "--task",
            task,
            "--uai",
            files.uai,
            "--evidence",
            files.uaiEvidence,
            "--threads",
            threads,
            "--memory",
            memory,
            "--repeat-seconds",
            fmt::format("{}", options.repeatSeconds),
            "--json",
            files.result};
  std::vector<std::string> command = {files.self,
                                      "network",
                                      instance.model,
                                      "--task",
                                      task,
                                      "--device",
                                      solver.device,
                                      "--threads",
                                      threads,
                                      "--type",
                                      options.type,
                                      "--memory",
                                      memory,
                                      "--repeat-seconds",
                                      fmt::format("{}", options.repeatSeconds),
                                      "--expected-runs",
                                      fmt::format("{}", options.expectedRuns),
                                      "--json",
                                      files.result};
  const auto add = [&command](const char *name, const std::string &value) {
    if (!value.empty())
      command.insert(command.end(), {name, value});
  };
  add("--evid", instance.evidence);
  add("--arch", options.arch);
  return command;
}

} // namespace mpf::bench
