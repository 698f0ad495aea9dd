// The words for devices in texts of answer plans: "cpu0", "gpu1".
#pragma once

#include "codegen/machine/device_request.h"
#include "runtime/schedule/schedule.h"

#include <fmt/format.h>
#include <optional>
#include <string>

namespace mpf {

inline std::string deviceName(DeviceId device) {
  return fmt::format("{}{}", device.kind == DeviceKind::Cpu ? "cpu" : "gpu", device.number);
}

/// Returns the device of a schedule's step, which is the first of its kind.
inline DeviceId idOf(StepDevice device) {
  return {device == StepDevice::Cpu ? DeviceKind::Cpu : DeviceKind::Gpu, 0};
}

} // namespace mpf
