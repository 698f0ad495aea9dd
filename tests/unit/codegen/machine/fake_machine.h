// Machines with devices that do not exist, for tests.
#pragma once

#include "codegen/machine/known_machine.h"

#include <string>
#include <vector>

namespace mpf::test {

/// Returns a machine with a CPU and a GPU of each architecture. A GPU without one is unknown.
inline Machine machineWith(const std::vector<std::string> &gpus) {
  Machine machine;
  machine.devices.push_back({.state = DeviceState::Present, .speed = CpuSpeed()});
  for (uint32_t i = 0; i < gpus.size(); ++i)
    machine.devices.push_back(
        {.id = {DeviceKind::Gpu, i},
         .state = gpus[i].empty() ? DeviceState::Unknown : DeviceState::Present,
         .target = gpus[i],
         .speed = GpuSpeed()});
  return machine;
}

/// Finds the GPUs of a list, and their memory.
class FakeProbe final : public MachineProbe {
public:
  void complete(Machine &machine, MachineDetail detail) override {
    ++asked;
    for (size_t i = 1; i < machine.devices.size(); ++i) {
      Device &device = machine.devices[i];
      if (detail == MachineDetail::Memory) {
        device.tableBytes = bytes;
        continue;
      }
      device.state = i <= gpus.size() ? DeviceState::Present : DeviceState::Absent;
      device.target = i <= gpus.size() ? gpus[i - 1] : "";
    }
  }

  std::vector<std::string> gpus; ///< architectures
  uint64_t bytes = 0;            ///< memory of each
  unsigned asked = 0;            ///< number of calls
};

} // namespace mpf::test
