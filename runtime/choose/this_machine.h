// This machine as the compiler knows it (codegen/machine/machine.h), and the probe that asks its
// drivers.
#pragma once

#include "codegen/pipeline/compile_settings.h"

#include <cstdint>
#include <memory>
#include <optional>

namespace mpf {

/// Returns this machine: its CPU, and the GPU that the settings name, else the first. The GPU is
/// unknown until it is needed. Programs that run here use the stored speed of this machine.
/// Programs that are printed or may run elsewhere use the shipped speed, so that every machine
/// prints the same. If the settings name a GPU, its kernels count as compiled. Reads a file; opens
/// no GPU. Returns the settings' given machine in place of this one, if there is one.
std::shared_ptr<KnownMachine> thisMachine(const CompileSettings &settings);

/// Returns the bytes that tables may take on a GPU of this machine (DeviceId::number); none without
/// it. Opens the GPU. Throws Error(Device) and Error(MemoryBound) if that fails.
std::optional<uint64_t> gpuTablesBound(uint32_t gpu = 0);

} // namespace mpf
