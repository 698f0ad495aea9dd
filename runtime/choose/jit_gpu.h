// Decides whether a query is compiled for a GPU, once its plan is known.
#pragma once

#include "codegen/pipeline/compile_settings.h"
#include "runtime/machine/gpu_backend.h"

#include <functional>
#include <optional>
#include <string>

namespace mpf {

/// How kernels for the machine's GPU are chosen by measuring.
struct AutotuneOptions {
  /// Candidates measured for each kernel, with the cost model's choice. 0: measure none and ignore
  /// choices in the cache. Not set: measure none, but use choices in the cache.
  std::optional<size_t> candidates;
  bool forbidCompiling = false; ///< SessionOptions::forbidCompiling
  unsigned threads = 0;         ///< for planning and compiling kernels, 0: one per core
  std::string dumpKernels;      ///< SessionOptions::dumpKernels
  std::function<void(const TuningReport &)> report; ///< may be empty

  bool measures() const { return candidates.value_or(0) > 1; }
};

/// The choice for the device and the schedule of the settings. Device "cpu": no GPU kernels. "gpu":
/// kernels for the machine's GPU; Error(Device) when there is none. "auto": GPU kernels only if a
/// GPU is wanted (gpuWanted, place_program.h, or a schedule that needs one) and the planner knows
/// its architecture; one that fails when it is asked for that is Bundle::gpuFault, and so is that
/// there is none for such a schedule. The driver is opened only after the plan shows that a GPU
/// could pay, since opening it takes longer than most queries. If kernels are to be measured, the
/// GPU must be present when this function is called.
GpuChoice chooseGpu(const CompileSettings &settings, const AutotuneOptions &autotune = {});

/// Whether the planner knows GPUs of this architecture ("sm_90").
bool knowsGpu(const std::string &arch);
/// The architecture of the machine's GPU. Throws Error(Device) when there is none that says it.
std::string requiredGpuArch();
/// Whether the machine has a GPU that the planner knows, or one that does not work, or that does
/// not say what it is. Opens no context.
bool mayPlanForGpu();
/// Whether the machine has a GPU of an architecture that the planner knows. Opens no context.
bool plannerKnowsGpu();

/// The choice of one named architecture, on any machine. Throws Error(Usage) for an unknown one.
/// Choices in the cache are used only if measurements are asked for; that needs a machine with such
/// a GPU, else Error(Device). Without measurements every machine makes the same bundle.
/// `runs`: over which kernels must pay.
GpuChoice gpuNamed(const std::string &arch, const KernelRuns &runs,
                   const AutotuneOptions &autotune = {});

/// With device "auto": calls settings.gpuExpected when an order is found by which the CPU takes
/// longer for all expected runs than it takes to open a GPU. What is planned behind that goes on
/// while the GPU comes up. Hooks for the pipeline; empty where nobody wants to know. The choice
/// (chooseGpu) calls it again where it takes the GPU.
PipelineHooks gpuExpectation(const CompileSettings &settings);

/// The choice that the settings ask for: kernels for the GPU that they name, else for this
/// machine's GPU if the bundle is to run here, else none. Throws as gpuNamed and chooseGpu.
GpuChoice gpuChoiceFor(const CompileSettings &settings, const AutotuneOptions &autotune);

} // namespace mpf
