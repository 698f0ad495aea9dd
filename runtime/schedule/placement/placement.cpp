#include "runtime/schedule/placement/placement.h"

#include "dsl/support/check.h"

#include <algorithm>
#include <limits>

namespace mpf {

size_t PlacementSite::at(DeviceId device) const {
  for (size_t place = 0; place < devices.size(); ++place)
    if (devices[place].id == device)
      return place;
  MPF_UNREACHABLE("no operation may be placed on {}", deviceName(device, true));
}

double PlacementSite::openUs() const {
  double leastUs = std::numeric_limits<double>::infinity();
  for (const PlacementDevice &device : devices)
    if (device.id.isGpu())
      leastUs = std::min(leastUs, device.openUs);
  return leastUs;
}

bool TaskPlacement::uses(DeviceId device) const {
  return std::ranges::find(devices, device) != devices.end();
}

bool TaskPlacement::usesGpu() const { return std::ranges::any_of(devices, &DeviceId::isGpu); }

bool TaskPlacement::isMixed() const {
  return std::ranges::any_of(devices, [this](DeviceId device) { return device != devices[0]; });
}

} // namespace mpf
