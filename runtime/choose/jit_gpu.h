// Decides whether a query is compiled for a GPU, once its plan is known.
#pragma once

#include "codegen/pipeline/compile_settings.h"
#include "runtime/choose/answer/choose_answer.h"
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
  uint32_t gpu = 0;             ///< the GPU that measures (DeviceId::number)
  bool forbidCompiling = false; ///< SessionOptions::forbidCompiling
  unsigned threads = 0;         ///< for planning and compiling kernels, 0: one per core
  std::string dumpKernels;      ///< SessionOptions::dumpKernels
  std::function<void(const TuningReport &)> report; ///< may be empty

  bool measures() const { return candidates.value_or(0) > 1; }
};

/// Returns the conditions of this machine under which a query is compiled for a GPU. If the
/// settings name a target, the machine has that GPU instead of its own. If they give a machine, its
/// speeds and devices are the conditions.
AnswerConditions answerConditions(const CompileSettings &settings);

/// Returns the architecture of a GPU (DeviceId::number). Throws Error(Device) if there is no such
/// GPU or its architecture is unknown.
std::string requiredGpuArch(uint32_t gpu = 0);
/// Whether the first GPU of the machine is one that the planner knows, that does not work, or whose
/// architecture is unknown. Opens no context.
bool mayPlanForGpu();

/// Returns the GPU of a named architecture, for kernels on any machine. Throws Error(Usage) for an
/// unknown one. Choices in the cache are used only if measurements are asked for. Measuring needs a
/// machine with such a GPU and otherwise throws Error(Device). Without measurements every machine
/// makes the same bundle. `runs`: the numbers of runs over which kernels must pay.
SpecialiseOptions gpuNamed(const std::string &arch, const KernelRuns &runs,
                           const AutotuneOptions &autotune = {});

/// Returns hooks for the pipeline that start the GPU while planning goes on. With device "auto",
/// they call settings.gpuExpected when an order is found for which all expected runs take longer on
/// the CPU than a GPU takes to open. The hooks are empty if settings.gpuExpected is. The chooser
/// (chooseKernels) calls it again when it takes the GPU.
PipelineHooks gpuExpectation(const CompileSettings &settings);

/// Lets the settings choose a GPU for kernels: the GPU that they name, or that of this machine if
/// the bundle runs here. Throws like gpuNamed. On this machine the settings' chooser decides for
/// each bundle:
/// - devices "cpu": no GPU kernels.
/// - "gpu": kernels for the machine's GPU. Throws Error(Device) if there is none.
/// - "auto": GPU kernels only if chooseAnswer (answer/choose_answer.h) takes a GPU and the planner
///   knows its architecture. A GPU that fails to report its architecture becomes Bundle::gpuFault;
///   so does a missing GPU, if the schedule needs one.
///
/// If the settings give a machine, bundles get kernels for a named GPU only.
///
/// The driver is opened only if the plan shows that a GPU could pay, because opening it takes
/// longer than most queries. If kernels are to be measured, the GPU must be present when this
/// function is called.
void chooseKernels(CompileSettings &settings, const AutotuneOptions &given = {});

} // namespace mpf
