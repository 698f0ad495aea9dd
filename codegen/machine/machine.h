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

/// A way to copy tables from one device to another.
struct Link {
  DeviceId from, to;
  double us = 0;         ///< fixed time of a copy, with others of a run
  double bytesPerUs = 1; ///< rate

  /// Returns the time of a copy.
  double copyUs(double bytes) const { return us + bytes / bytesPerUs; }
  bool operator==(const Link &) const = default;
};

struct Machine {
  std::vector<Device> devices; ///< the CPU first, then GPUs in the order of their numbers
  /// Links between GPUs, at most one for each pair and direction, in ascending order. A GPU's speed
  /// describes its links with the CPU. Copies between GPUs without a link go through the CPU.
  std::vector<Link> links;

  /// Return the first device of a kind, or nullptr.
  const Device *first(DeviceKind kind) const;
  Device *first(DeviceKind kind);
  const CpuSpeed &cpu() const { return std::get<CpuSpeed>(devices.front().speed); }
  /// Returns the speed of the first GPU, which there must be.
  const GpuSpeed &gpu() const;
  /// Returns the devices on which operations may be placed: all but those that are known to be
  /// absent or faulty.
  std::vector<const Device *> usable() const;
  bool operator==(const Machine &) const = default;
};

/// Sets the number of multiprocessors of all GPUs.
void setMultiprocessors(Machine &machine, uint32_t count);

/// Returns what is wrong with a machine, in one sentence; empty: nothing. A sound machine has one
/// CPU, which is present and comes first. Its ids differ and ascend. Each device has the speed of
/// its kind; no rate is 0, and no time is below 0. A device has a fault if and only if its state is
/// Faulty. Its links join different GPUs that it has.
std::string machineFault(const Machine &machine);

/// Returns the link from one device of a machine to another. Without one in Machine::links, a copy
/// between two GPUs takes the sum of the times of both copies through the CPU.
Link linkBetween(const Machine &machine, DeviceId from, DeviceId to);

} // namespace mpf
