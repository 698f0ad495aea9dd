#include "codegen/machine/device_id.h"

#include <fmt/format.h>

namespace mpf {

std::string deviceName(DeviceId device, bool isOneOfSeveral) {
  if (!device.isGpu())
    return "cpu";
  return device.number == 0 && !isOneOfSeveral ? "gpu" : fmt::format("gpu:{}", device.number);
}

} // namespace mpf
