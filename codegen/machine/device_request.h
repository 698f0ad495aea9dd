// DEVICE REQUEST: the devices that the user allows a program to use, and the way to spread its
// operations over them, as plain data. The words of options become a request once, where they are
// read (--device, --schedule, CompileOptions, SessionOptions). All other code asks its questions.
//
// A request names devices by number, so that a machine may have several GPUs.
#pragma once

#include "codegen/machine/device_id.h"
#include "codegen/machine/placement_method.h"

#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace mpf {

struct DeviceRequest {
  /// The only devices that a run may use. It fails if one is missing or fails. Empty: mpf chooses
  /// among all devices of the machine, and the CPU replaces a device that is missing or fails.
  std::vector<DeviceId> named;
  PlacementMethod spread = PlacementMethod::Auto; ///< must be possible on the named devices

  static DeviceRequest cpu() { return {{DeviceId::cpu()}}; }
  /// Returns the request for a GPU.
  static DeviceRequest gpu(uint32_t number = 0) { return {{DeviceId::gpu(number)}}; }

  /// Whether mpf chooses among all devices of the machine.
  bool isOpen() const { return named.empty(); }
  /// Whether the user names a GPU: a run without it is an error.
  bool requiresGpu() const { return names(DeviceKind::Gpu); }
  /// Whether the user names devices, and no GPU among them.
  bool excludesGpu() const { return !isOpen() && !requiresGpu(); }
  /// Whether a GPU may run operations.
  bool mayUseGpu() const { return method() != PlacementMethod::Cpu; }
  /// Whether a GPU runs operations unless it is missing or fails.
  bool prefersGpu() const { return mayUseGpu() && method() != PlacementMethod::Auto; }
  /// Whether predicted times decide which devices run operations.
  bool isAuto() const { return method() == PlacementMethod::Auto; }

  /// Returns the number of the GPU that runs operations if one does: of the first that is named,
  /// else of the machine's first.
  uint32_t gpuNumber() const;
  /// Returns the method of placement on the requested devices: that of a named kind, else `spread`.
  PlacementMethod method() const;
  /// Returns the word for the devices: "auto", "cpu", "gpu", "gpu:1".
  std::string devicesWord() const;
  /// Throws Error(Usage) if the devices do not allow the method.
  void check() const;

  bool operator==(const DeviceRequest &) const = default;

private:
  bool names(DeviceKind kind) const;
};

/// The devices that a word of options names.
struct DevicesName {
  std::string_view word;
  std::vector<DeviceId> devices; ///< DeviceRequest::named
};
/// Returns the words that need no number: "auto", "cpu", "gpu".
std::span<const DevicesName> devicesNames();
/// Returns the devices that a word names: one of devicesNames(), or a GPU with its number, "gpu:1".
/// Returns none for other words.
std::optional<std::vector<DeviceId>> devicesNamed(std::string_view word);

/// Reads the words of an option for devices, and of one for the method of placement. Throws
/// Error(Usage) for unknown words, and as DeviceRequest::check.
DeviceRequest deviceRequestOf(std::string_view devices, std::string_view schedule = "auto");

} // namespace mpf
