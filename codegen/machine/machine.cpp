#include "codegen/machine/machine.h"

#include "codegen/machine/speed_fields.h"

#include <algorithm>
#include <cmath>
#include <fmt/format.h>

namespace mpf {

Device *Machine::first(DeviceKind kind) {
  const auto found = std::ranges::find(devices, kind, [](const Device &d) { return d.id.kind; });
  return found == devices.end() ? nullptr : &*found;
}

const Device *Machine::first(DeviceKind kind) const {
  return const_cast<Machine *>(this)->first(kind);
}

namespace {

std::string speedFault(const CpuSpeed &speed) {
  std::string fault;
  forCpuNumbers(speed, [&fault](const char *name, double value) {
    if (!(value >= 0) || std::isinf(value))
      fault = fmt::format("has {} of {}", value, name);
  });
  forCurves(speed, [&fault](const char *name, const TimeCurve &curve) {
    if (!curve.isSound())
      fault = fmt::format("has an unsound curve '{}'", name);
  });
  return fault;
}

std::string speedFault(const GpuSpeed &speed) {
  std::string fault;
  forGpuNumbers(speed, [&fault](const char *name, double value) {
    if (!(value >= 0) || std::isinf(value))
      fault = fmt::format("has {} of {}", value, name);
  });
  if (speed.multiprocessors == 0 || speed.residentBlocks == 0 || speed.linesPerUs == 0 ||
      speed.bytesPerUs == 0 || speed.copyBytesPerUs == 0 || speed.copies.bytesPerUs == 0)
    fault = "has a rate of 0";
  return fault;
}

std::string deviceFaultOf(const Device &device) {
  const bool isCpu = device.id.kind == DeviceKind::Cpu;
  if (isCpu != std::holds_alternative<CpuSpeed>(device.speed))
    return "has the speed of another kind of device";
  if (isCpu && device.state != DeviceState::Present)
    return "is a CPU that is not present";
  if (isCpu && !device.target.empty())
    return "is a CPU with the architecture of a GPU";
  if ((device.state == DeviceState::Faulty) == device.fault.empty())
    return device.fault.empty() ? "is faulty without a reason" : "has a fault and is not faulty";
  if (!(device.openUs >= 0) || std::isinf(device.openUs))
    return fmt::format("takes {} us to open", device.openUs);
  return std::visit([](const auto &speed) { return speedFault(speed); }, device.speed);
}

} // namespace

std::string machineFault(const Machine &machine) {
  const std::vector<Device> &devices = machine.devices;
  if (devices.empty() || devices.front().id != DeviceId{DeviceKind::Cpu, 0})
    return "the first device is not CPU 0";
  for (size_t i = 0; i < devices.size(); ++i) {
    const DeviceId id = devices[i].id;
    if (i > 0 && id != DeviceId{DeviceKind::Gpu, static_cast<uint32_t>(i - 1)})
      return fmt::format("device {} is not GPU {}", i, i - 1);
    if (const std::string fault = deviceFaultOf(devices[i]); !fault.empty())
      return fmt::format("device {} {}", i, fault);
  }
  return {};
}

} // namespace mpf
