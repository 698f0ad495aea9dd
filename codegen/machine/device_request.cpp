#include "codegen/machine/device_request.h"

#include "dsl/support/check.h"

#include <algorithm>

namespace mpf {

std::span<const DevicesName> devicesNames() {
  static const std::vector<DevicesName> kNames = {
      {"auto", {}}, {"cpu", DeviceRequest::cpu().named}, {"gpu", DeviceRequest::gpu().named}};
  return kNames;
}

bool DeviceRequest::names(DeviceKind kind) const {
  return std::ranges::find(named, kind, &DeviceId::kind) != named.end();
}

PlacementMethod DeviceRequest::method() const {
  if (isOpen() || (names(DeviceKind::Cpu) && names(DeviceKind::Gpu)))
    return spread;
  return names(DeviceKind::Gpu) ? PlacementMethod::Gpu : PlacementMethod::Cpu;
}

std::string_view DeviceRequest::devicesWord() const {
  const auto name = std::ranges::find(devicesNames(), named, &DevicesName::devices);
  MPF_CHECK(name != devicesNames().end(), "no word names {} devices", named.size());
  return name->word;
}

void DeviceRequest::check() const {
  if (spread != PlacementMethod::Auto && spread != method())
    fail(ErrorKind::Usage,
         "schedule '{}' spreads operations over CPU and GPU, but device is '{}': leave it 'auto'",
         placementMethodName(spread), devicesWord());
}

DeviceRequest deviceRequestOf(std::string_view devices, std::string_view schedule) {
  const auto name = std::ranges::find(devicesNames(), devices, &DevicesName::word);
  if (name == devicesNames().end())
    fail(ErrorKind::Usage, "unknown device '{}': auto, cpu or gpu", devices);
  const DeviceRequest request{name->devices, placementMethodNamed(schedule)};
  request.check();
  return request;
}

} // namespace mpf
