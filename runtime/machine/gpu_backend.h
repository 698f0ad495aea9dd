// Access to the GPU. There are two implementations, with and without CUDA; the build chooses one
// (MPF_ENABLE_CUDA), so that no other code depends on that option.
#pragma once

#include "codegen/bundle/bundle.h"
#include "runtime/api/session.h"
#include "runtime/execute/gpu/tuning/tuning_report.h"
#include "runtime/execute/host/executor.h"
#include "runtime/schedule/transfers/hide_copies.h"

#include <algorithm>
#include <cstdint>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace mpf {

// A GPU is given by its number (DeviceId::number).

/// Starts a GPU in a thread, if no GPU was started before. That takes 0.2 s, in which a model can
/// be read and planned (runtime/execute/gpu/device_start.h).
void startGpuBackend(uint32_t gpu = 0) noexcept;
/// Starts the first GPU speculatively: its context is released once a session holds one.
void expectGpuBackend() noexcept;
/// Waits for such a start, and releases its context; sessions keep theirs.
void endGpuBackend();
/// Whether such a start is in progress, or its context is open. A process that ends may then leave
/// by quick_exit: the driver releases the context.
bool gpuBackendIsHeld();
/// Returns name and microseconds of every part of the start and the end of the GPU so far
/// (runtime/execute/gpu/start_times.h).
std::vector<std::pair<std::string_view, double>> gpuBackendStartTimes();

/// Returns why a GPU cannot be used, in one sentence; empty if it can.
std::string gpuBackendUnavailable(uint32_t gpu = 0);
/// Returns why the machine's GPU, or its driver, does not work; empty if it works, or if the
/// machine has neither.
std::string gpuBackendFault();

/// Returns the architecture of a GPU, for example "sm_90"; empty without it.
std::string gpuBackendArch(uint32_t gpu = 0);

/// Returns how many of a GPU's free bytes tables may take, after the context was opened. The rest
/// is for modules, and for local memory of kernels. Never falls when `freeBytes` grows.
inline uint64_t gpuTableBytes(uint64_t freeBytes) {
  constexpr uint64_t kLeastLeft = uint64_t{32} << 20, kMostLeft = uint64_t{512} << 20;
  const uint64_t left = std::clamp(freeBytes / 8, kLeastLeft, kMostLeft);
  return freeBytes - std::min(freeBytes, left);
}

/// Returns the free memory of a GPU, without this process' context; none without it. Opens the GPU
/// (about 0.3 s). Throws Error(Device) and Error(MemoryBound) if that fails.
std::optional<uint64_t> gpuBackendFreeBytes(uint32_t gpu = 0);

struct TuningSettings {
  uint32_t gpu = 0;             ///< the GPU that measures
  bool forbidCompiling = false; ///< SessionOptions::forbidCompiling
  unsigned threads = 0;         ///< concurrent compilations, 0: one per core
  std::string dumpKernels;      ///< SessionOptions::dumpKernels
  /// A kernel that evicts L2: it reads `flushedBytes`, more than L2 holds, and writes
  /// `flushResultBytes`.
  BundleKernel flush;
  uint64_t flushedBytes = 0, flushResultBytes = 0;
};

/// Replaces kernels of the bundle by the kernels that were measured to be the fastest on a GPU.
/// Choices come from the cache. Only candidates that the cache does not know are measured, and only
/// then the GPU is opened. Throws Error(Device), Error(MemoryBound), and Error(Verification) if the
/// results of two kernels for the same operation differ.
TuningReport tuneGpuKernels(Bundle &bundle, std::span<const TuningCandidates> candidates,
                            const TuningSettings &settings);

/// Opens an executor on the GPU of SessionOptions::device (DeviceRequest::gpuNumber), whose speed
/// is `speed`. Throws Error(Device) with gpuBackendUnavailable() without it.
std::unique_ptr<Executor> openGpuBackend(const Bundle &bundle, const SessionOptions &options,
                                         const GpuSpeed &speed);

/// Measures the copies of the machine's first GPU (runtime/execute/gpu/tuning/measure_copies.h).
/// Throws Error(Device) and Error(MemoryBound).
CopySpeed measureGpuCopies();

} // namespace mpf
