// The GPU as far as this build has one: two implementations, chosen by the build
// (MPF_ENABLE_CUDA), so that nothing else asks.
#pragma once

#include "runtime/api/mpf.h"
#include "runtime/execute/executor.h"

#include <memory>
#include <optional>
#include <string>

namespace mpf {

/// Empty when a GPU can be used; otherwise one sentence saying why not.
std::string gpuBackendUnavailable();

/// "sm_90": the architecture of the machine's first GPU; empty when there is none.
std::string gpuBackendArch();

/// Of a GPU's free memory: context, modules, and what a program has there besides tables.
inline constexpr uint64_t kGpuReserveBytes = uint64_t{512} << 20;

/// Free memory of the machine's first GPU, the reserve included, which opens it (some 0.3 s);
/// nothing when there is none.
std::optional<uint64_t> gpuBackendFreeBytes();

/// Throws Error(Device) with gpuBackendUnavailable() when there is none.
std::unique_ptr<Executor> openGpuBackend(const Bundle &bundle, const SessionOptions &options);

} // namespace mpf
