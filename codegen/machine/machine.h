// MACHINE: the devices on which programs may run, as plain data, with the speeds from which times
// are predicted. The compiler and the chooser of devices ask this value instead of drivers. Facts
// that only a driver knows are unknown at first; KnownMachine (known_machine.h) completes them.
#pragma once

#include "codegen/machine/cpu_speed.h"
#include "codegen/machine/device_request.h"
#include "codegen/machine/gpu_speed.h"

#include <cstdint>
#include <optional>
#include <string>
#include <variant>
#include <vector>

namespace mpf {

enum class DeviceState {
  Unknown, ///< no driver was asked whether the machine has the device
  Present, ///< the machine has the device, and its driver works
  Absent,  ///< the machine has no such device
  Faulty,  ///< the machine has the device, and it failed (Device::fault)
};

struct Device {
  DeviceId id;
  DeviceState state = DeviceState::Unknown;
  std::string target; ///< architecture of a GPU ("sm_90"); empty: unknown, or a CPU
  /// Bytes that the tables of a plan may take on the device. None: the device was not asked.
  std::optional<uint64_t> tableBytes;
  double openUs = 0; ///< time to open the device, once for each process
  std::string fault; ///< why the device failed, one sentence; empty unless Faulty
  std::variant<CpuSpeed, GpuSpeed> speed;

  bool operator==(const Device &) const = default;
};

struct Machine {
  std::vector<Device> devices; ///< the CPU first, then GPUs in the order of their numbers

  /// Return the first device of a kind, or nullptr.
  const Device *first(DeviceKind kind) const;
  Device *first(DeviceKind kind);
  bool operator==(const Machine &) const = default;
};

/// Returns what is wrong with a machine, in one sentence; empty: nothing. A sound machine has one
/// CPU, which is present and comes first. Its ids differ and ascend. Each device has the speed of
/// its kind; no rate is 0, and no time is below 0. A device has a fault if and only if its state is
/// Faulty.
std::string machineFault(const Machine &machine);

} // namespace mpf
