// Whether a query is compiled for a GPU, decided once its plan is known.
#pragma once

#include "codegen/pipeline/compile_settings.h"
#include "runtime/api/gpu_backend.h"

#include <functional>
#include <optional>
#include <string>

namespace mpf {

/// Whether kernels are chosen by measuring, for the machine's GPU.
struct AutotuneOptions {
  /// How many are measured of a kernel, the cost model's choice among them; 0: none, and what the
  /// cache has of earlier measurements is not taken either. Nothing: only what the cache has.
  std::optional<size_t> candidates;
  bool forbidCompiling = false; ///< as SessionOptions has it
  unsigned threads = 0;         ///< for planning and compiling kernels, 0: one per core
  std::string dumpKernels;      ///< as SessionOptions has it
  std::function<void(const TuningReport &)> report; ///< may be empty

  bool measures() const { return candidates.value_or(0) > 1; }
};

/// `device` as in SessionOptions: "cpu": no GPU kernels; "gpu": for the machine's GPU,
/// Error(Device) when there is none; "auto": only where a GPU is wanted (choose_device.h) and the
/// planner knows it. The driver is not touched before the plan says that it could pay: opening it
/// costs more than most queries. Only where kernels are to be measured it must be there at once.
GpuChoice chooseGpu(const std::string &device, double expectedRuns,
                    const AutotuneOptions &autotune = {});

/// The machine has a GPU, and kernels are planned for its kind. Opens no context.
bool plannerKnowsGpu();

/// For one named architecture, whatever machine this is. Throws Error(Usage) for unknown ones. What
/// earlier measurements say is taken only where some are asked for, which needs a machine with such
/// a GPU, else Error(Device): without them every machine makes the same bundle.
GpuChoice gpuNamed(const std::string &arch, double expectedRuns,
                   const AutotuneOptions &autotune = {});

/// What the settings ask for: kernels for the GPU that they name, else for this machine's where the
/// bundle is to run here, else none. Throws as the two above.
GpuChoice gpuChoiceFor(const CompileSettings &settings, const AutotuneOptions &autotune);

} // namespace mpf
