#include "runtime/choose/this_machine.h"

#include "codegen/kernel/form/target.h"
#include "dsl/support/system/memory_limits.h"
#include "runtime/execute/host/gpu_or_cpu.h"
#include "runtime/machine/gpu_backend.h"
#include "runtime/machine/stored_speed.h"
#include "runtime/predict/missing_kernels.h"

#include <optional>
#include <utility>

namespace mpf {

namespace {

void setFault(Device &device, std::string fault) {
  device.state = DeviceState::Faulty;
  device.fault = std::move(fault);
}

void findGpu(Device &gpu) {
  if (std::string fault = gpuBackendFault(); !fault.empty())
    return setFault(gpu, std::move(fault));
  const bool isThere = gpuBackendUnavailable(gpu.id.number).empty();
  gpu.state = isThere ? DeviceState::Present : DeviceState::Absent;
  if (isThere)
    gpu.target = gpuBackendArch(gpu.id.number);
}

/// Asks the driver of the only GPU of the machine.
class DriverProbe final : public MachineProbe {
public:
  void complete(Machine &machine, MachineDetail detail) override {
    Device &gpu = *machine.first(DeviceKind::Gpu);
    if (detail == MachineDetail::Devices)
      return findGpu(gpu);
    if (gpu.state == DeviceState::Present && knowsGpu(gpu.target))
      gpu.tableBytes = onGpuOrCpu(
          true, [&] { return gpuTablesBound(gpu.id.number); },
          [&gpu](std::string fault) {
            setFault(gpu, std::move(fault));
            return std::optional<uint64_t>();
          });
  }
};

} // namespace

std::shared_ptr<KnownMachine> thisMachine(const CompileSettings &settings) {
  if (settings.givenMachine)
    return std::make_shared<KnownMachine>(*settings.givenMachine);
  const MachineSpeed speed = runsHere(settings) ? storedSpeed() : shippedSpeed();
  Machine machine = machineOf(speed);
  machine.first(DeviceKind::Gpu)->id.number = settings.devices.gpuNumber();
  if (runsHere(settings) && settings.target.empty())
    machine.first(DeviceKind::Gpu)->openUs += missingKernelsUs();
  return std::make_shared<KnownMachine>(std::move(machine), std::make_unique<DriverProbe>());
}

std::optional<uint64_t> gpuTablesBound(uint32_t gpu) {
  const std::optional<uint64_t> bytes = gpuBackendFreeBytes(gpu);
  return bytes ? std::optional(steadyBytes(gpuTableBytes(*bytes))) : std::nullopt;
}

} // namespace mpf
