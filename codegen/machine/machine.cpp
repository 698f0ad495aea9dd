#include "codegen/machine/machine.h"

#include "codegen/machine/speed_fields.h"
#include "dsl/support/check.h"

#include <algorithm>
#include <cmath>
#include <fmt/format.h>
#include <utility>

namespace mpf {

Device *Machine::first(DeviceKind kind) {
  const auto found = std::ranges::find(devices, kind, [](const Device &d) { return d.id.kind; });
  return found == devices.end() ? nullptr : &*found;
}

const Device *Machine::first(DeviceKind kind) const {
  return const_cast<Machine *>(this)->first(kind);
}

const GpuSpeed &Machine::gpu() const {
  const Device *const gpu = first(DeviceKind::Gpu);
  MPF_CHECK(gpu != nullptr, "the machine has no GPU");
  return std::get<GpuSpeed>(gpu->speed);
}

void setMultiprocessors(Machine &machine, uint32_t count) {
  for (Device &device : machine.devices)
    if (auto *gpu = std::get_if<GpuSpeed>(&device.speed))
      gpu->multiprocessors = count;
}

std::vector<const Device *> Machine::usable() const {
  std::vector<const Device *> found;
  for (const Device &device : devices)
    if (device.state != DeviceState::Absent && device.state != DeviceState::Faulty)
      found.push_back(&device);
  return found;
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

const Device *deviceOf(const Machine &machine, DeviceId id) {
  const auto found = std::ranges::find(machine.devices, id, &Device::id);
  return found == machine.devices.end() ? nullptr : &*found;
}

std::string linkFault(const Machine &machine, const Link &link) {
  if (!link.from.isGpu() || !link.to.isGpu() || link.from == link.to)
    return "does not join two GPUs";
  if (deviceOf(machine, link.from) == nullptr || deviceOf(machine, link.to) == nullptr)
    return "joins a device that is not listed";
  if (!(link.us >= 0) || std::isinf(link.us))
    return fmt::format("takes {} us", link.us);
  if (!(link.bytesPerUs > 0) || std::isinf(link.bytesPerUs))
    return fmt::format("has a rate of {}", link.bytesPerUs);
  return {};
}

const GpuSpeed &speedOfGpu(const Machine &machine, DeviceId gpu) {
  const Device *const device = deviceOf(machine, gpu);
  MPF_CHECK(device != nullptr, "the machine lacks {}", deviceName(gpu, true));
  return std::get<GpuSpeed>(device->speed);
}

} // namespace

std::string machineFault(const Machine &machine) {
  const std::vector<Device> &devices = machine.devices;
  if (devices.empty() || devices.front().id != DeviceId{DeviceKind::Cpu, 0})
    return "the first device is not CPU 0";
  for (size_t i = 0; i < devices.size(); ++i) {
    const DeviceId id = devices[i].id;
    if (i > 0 && !(devices[i - 1].id < id))
      return fmt::format("device {} is {}, which does not come after {}", i, deviceName(id, true),
                         deviceName(devices[i - 1].id, true));
    if (const std::string fault = deviceFaultOf(devices[i]); !fault.empty())
      return fmt::format("device {} {}", i, fault);
  }
  const std::vector<Link> &links = machine.links;
  for (size_t i = 0; i < links.size(); ++i) {
    if (const std::string fault = linkFault(machine, links[i]); !fault.empty())
      return fmt::format("link {} {}", i, fault);
    if (i > 0 &&
        std::pair(links[i].from, links[i].to) <= std::pair(links[i - 1].from, links[i - 1].to))
      return fmt::format("link {} is not in ascending order", i);
  }
  return {};
}

Link linkBetween(const Machine &machine, DeviceId from, DeviceId to) {
  const auto found = std::ranges::find_if(
      machine.links, [&](const Link &link) { return link.from == from && link.to == to; });
  if (found != machine.links.end())
    return *found;
  if (from.isGpu() && to.isGpu()) {
    const Link down = linkBetween(machine, from, DeviceId::cpu()),
               up = linkBetween(machine, DeviceId::cpu(), to);
    return {from, to, down.us + up.us, 1 / (1 / down.bytesPerUs + 1 / up.bytesPerUs)};
  }
  const GpuSpeed &gpu = speedOfGpu(machine, from.isGpu() ? from : to);
  // GpuSpeed::uploadUs is for a table and its state.
  return {from, to, from.isGpu() ? gpu.downloadUs : gpu.uploadUs / 2, gpu.copyBytesPerUs};
}

} // namespace mpf
