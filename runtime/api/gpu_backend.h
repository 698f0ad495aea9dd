// The GPU as far as this build has one: two implementations, chosen by the build
// (MPF_ENABLE_CUDA), so that nothing else asks.
#pragma once

#include "codegen/bundle/bundle.h"
#include "runtime/api/mpf.h"
#include "runtime/execute/gpu/tuning_report.h"
#include "runtime/execute/host/executor.h"

#include <memory>
#include <optional>
#include <span>
#include <string>

namespace mpf {

/// Empty when a GPU can be used; otherwise one sentence saying why not.
std::string gpuBackendUnavailable();

/// "sm_90": the architecture of the machine's first GPU; empty when there is none.
std::string gpuBackendArch();

/// What of a GPU's free memory is not for tables: context, modules, and the rest of a program.
inline constexpr uint64_t kGpuReserveBytes = uint64_t{512} << 20;

/// Free memory of the machine's first GPU, the reserve included, which opens it (some 0.3 s);
/// nothing when there is none.
std::optional<uint64_t> gpuBackendFreeBytes();

struct TuningSettings {
  bool forbidCompiling = false; ///< as SessionOptions has it
  unsigned threads = 0;         ///< concurrent compilations, 0: one per core
  std::string dumpKernels;      ///< as SessionOptions has it
  /// Reads more than L2 holds, from one operand of so many bytes, into so many.
  BundleKernel sweep;
  uint64_t sweptBytes = 0, sweepResultBytes = 0;
};

/// Replaces kernels of the bundle by those that were measured to be faster on the machine's GPU:
/// what the cache says, and where there are candidates that it knows nothing of, what measuring
/// says now. Opens the GPU for that alone. Throws Error(Device), Error(MemoryBound), and
/// Error(Verification) where two kernels for the same work differ.
TuningReport tuneGpuKernels(Bundle &bundle, std::span<const TuningCandidates> candidates,
                            const TuningSettings &settings);

/// Throws Error(Device) with gpuBackendUnavailable() when there is none.
std::unique_ptr<Executor> openGpuBackend(const Bundle &bundle, const SessionOptions &options);

} // namespace mpf
