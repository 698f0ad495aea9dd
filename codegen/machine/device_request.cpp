#include "codegen/machine/device_request.h"

#include "dsl/support/check.h"
#include "dsl/support/number_text.h"

#include <algorithm>
#include <utility>

namespace mpf {

namespace {

constexpr uint64_t kMostGpuNumber = UINT16_MAX;

} // namespace

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

uint32_t DeviceRequest::gpuNumber() const {
  const auto gpu = std::ranges::find(named, DeviceKind::Gpu, &DeviceId::kind);
  return gpu == named.end() ? 0 : gpu->number;
}

std::string DeviceRequest::devicesWord() const {
  if (isOpen())
    return "auto";
  MPF_CHECK(named.size() == 1, "no word names {} devices", named.size());
  return deviceName(named.front());
}

void DeviceRequest::check() const {
  if (spread != PlacementMethod::Auto && spread != method())
    fail(ErrorKind::Usage,
         "schedule '{}' spreads operations over CPU and GPU, but device is '{}': leave it 'auto'",
         placementMethodName(spread), devicesWord());
}

std::optional<std::vector<DeviceId>> devicesNamed(std::string_view word) {
  const auto name = std::ranges::find(devicesNames(), word, &DevicesName::word);
  if (name != devicesNames().end())
    return name->devices;
  constexpr std::string_view kNumbered = "gpu:";
  if (!word.starts_with(kNumbered))
    return std::nullopt;
  const std::optional<uint64_t> number = parseUnsigned(word.substr(kNumbered.size()));
  if (!number || *number > kMostGpuNumber)
    return std::nullopt;
  return DeviceRequest::gpu(static_cast<uint32_t>(*number)).named;
}

DeviceRequest deviceRequestOf(std::string_view devices, std::string_view schedule) {
  std::optional<std::vector<DeviceId>> named = devicesNamed(devices);
  if (!named)
    fail(ErrorKind::Usage,
         "unknown device '{}': auto, cpu, gpu, or gpu:N for the GPU with number N", devices);
  const DeviceRequest request{std::move(*named), placementMethodNamed(schedule)};
  request.check();
  return request;
}

} // namespace mpf
