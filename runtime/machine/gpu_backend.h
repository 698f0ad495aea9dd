// Access to the GPU. There are two implementations, with and without CUDA; the build chooses one
// (MPF_ENABLE_CUDA), so that no other code depends on that option.
#pragma once

#include "codegen/bundle/bundle.h"
#include "codegen/bundle/lanes/lane_kernel.h"
#include "codegen/bundle/lanes/linear_plan.h"
#include "runtime/api/session.h"
#include "runtime/execute/gpu/tuning/tuning_report.h"
#include "runtime/execute/host/executor.h"
#include "runtime/execute/lanes/lane_executor.h"
#include "runtime/execute/threads/thread_pool.h"
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

/// Begins to bring the machine's first GPU up in a thread, for who is going to use it: that takes
/// 0.2 s, in which a model can be read and planned (runtime/execute/gpu/device_start.h).
void startGpuBackend() noexcept;
/// The same for who only expects to use it: the context is given back when a session has opened it.
void expectGpuBackend() noexcept;
/// Gives back what they opened; sessions keep what they have.
void endGpuBackend();
/// Whether that goes on, or what they opened is held: a process that ends need not wait for the one
/// nor give back the other, for the driver does; it may leave by quick_exit.
bool gpuBackendIsHeld();
/// What the start of the GPU has taken so far, and its end: name and microseconds of every part
/// (runtime/execute/gpu/start_times.h).
std::vector<std::pair<std::string_view, double>> gpuBackendStartTimes();

/// Empty when a GPU can be used; otherwise one sentence saying why not.
std::string gpuBackendUnavailable();
/// The same where the machine has a GPU, or a driver for one, that does not work; else empty.
std::string gpuBackendFault();

/// "sm_90": the architecture of the machine's first GPU; empty when there is none.
std::string gpuBackendArch();

/// What tables may take of a GPU's free memory, in which the context already is not counted. The
/// rest is for the modules, and for what kernels keep in local memory. Never falls when `freeBytes`
/// grows.
inline uint64_t gpuTableBytes(uint64_t freeBytes) {
  constexpr uint64_t kLeastLeft = uint64_t{32} << 20, kMostLeft = uint64_t{512} << 20;
  const uint64_t left = std::clamp(freeBytes / 8, kLeastLeft, kMostLeft);
  return freeBytes - std::min(freeBytes, left);
}

/// Free memory of the machine's first GPU beside this process' context; none when there is no GPU.
/// Opens the GPU (some 0.3 s). Throws Error(Device) and Error(MemoryBound) when that fails.
std::optional<uint64_t> gpuBackendFreeBytes();

struct TuningSettings {
  bool forbidCompiling = false; ///< SessionOptions::forbidCompiling
  unsigned threads = 0;         ///< concurrent compilations, 0: one per core
  std::string dumpKernels;      ///< SessionOptions::dumpKernels
  /// A kernel that evicts L2: it reads `flushedBytes`, more than L2 holds, and writes
  /// `flushResultBytes`.
  BundleKernel flush;
  uint64_t flushedBytes = 0, flushResultBytes = 0;
};

/// Replaces kernels of the bundle by those that were measured to be the fastest on the machine's
/// GPU. Takes choices from the cache; measures only where there are candidates that the cache knows
/// nothing about, and opens the GPU only then. Throws Error(Device), Error(MemoryBound), and
/// Error(Verification) when the results of two kernels for the same work differ.
TuningReport tuneGpuKernels(Bundle &bundle, std::span<const TuningCandidates> candidates,
                            const TuningSettings &settings);

/// Throws Error(Device) with gpuBackendUnavailable() when there is none.
std::unique_ptr<Executor> openGpuBackend(const Bundle &bundle, const SessionOptions &options);

/// Of the machine's first GPU (runtime/execute/gpu/tuning/measure_copies.h). Throws Error(Device)
/// and Error(MemoryBound).
CopySpeed measureGpuCopies();

/// What the compiler makes of a lane program for one element type.
struct LaneTexts {
  std::optional<LaneKernel> kernel; ///< for the program; none: it is too large for one
  std::string tableDriven;          ///< the kernels that run any program
  std::string said;                 ///< behind dumped ones (codegen/emit/lanes_in_text.h)
};

/// Lanes on the machine's first GPU: by the kernel where there is one, else table-driven. Throws as
/// makeGpuLaneKernel and makeGpuTeams (runtime/execute/gpu/lanes/gpu_lanes.h). `pool`: for the
/// host's part.
std::unique_ptr<LaneExecutor> openGpuLanes(const LaneProgram &program, const CommonTables &common,
                                           const LinearPlan &plan, const LaneTexts &texts,
                                           ElementType type, const SessionOptions &options,
                                           ThreadPool &pool);

} // namespace mpf
