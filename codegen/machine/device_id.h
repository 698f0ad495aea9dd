// DEVICE ID: the name of a device of a machine, as plain data. Schedules, placements and plans name
// devices by it.
#pragma once

#include <compare>
#include <cstdint>
#include <string>

namespace mpf {

enum class DeviceKind { Cpu, Gpu };

struct DeviceId {
  DeviceKind kind = DeviceKind::Cpu;
  uint32_t number = 0; ///< among the machine's devices of this kind; a machine has one CPU

  static constexpr DeviceId cpu() { return {DeviceKind::Cpu, 0}; }
  static constexpr DeviceId gpu(uint32_t number) { return {DeviceKind::Gpu, number}; }

  bool isGpu() const { return kind == DeviceKind::Gpu; }
  auto operator<=>(const DeviceId &) const = default; ///< the CPU comes first
};

/// Returns the name of a device in texts: "cpu", "gpu", "gpu:1". `isOneOfSeveral`: whether the text
/// speaks of several GPUs; then GPU 0 is "gpu:0".
std::string deviceName(DeviceId device, bool isOneOfSeveral = false);

} // namespace mpf
