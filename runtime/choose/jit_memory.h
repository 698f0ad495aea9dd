// The defaults of compilation that depend on the machine: the memory bound of a plan's tables,
// whether there is a GPU, and what a run costs (jit_run_costs.h). mpfc
// (tools/mpfc/compile/memory_bound.h) and host programs (mpf.h, CompileOptions::maxMemoryBytes) use
// the same functions. So both make the same plans, and `mpfc explain` describes what a run does.
//
// `device` as in SessionOptions. Figures of the machine are rounded down (memory_limits.h:
// steadyBytes).
#pragma once

#include "codegen/kernel/form/target.h"
#include "codegen/pipeline/compile_settings.h"
#include "dsl/model/model.h"
#include "runtime/machine/process_memory.h"

#include <span>

#include <functional>
#include <optional>
#include <string>

namespace mpf {

/// - "gpu": the free memory of the machine's GPU less the reserve for its context. Opens the GPU.
///   Without a GPU: the memory of `arch` ("sm_90" by default).
/// - otherwise: the memory that the host has (memory_limits.h) less what a run of `facts` takes
///   besides its tables; does not open the GPU. Throws Error(MemoryBound) when not even that fits.
///   Call it after the model is loaded, so that the memory of the model is subtracted already.
MemoryBound machineMemory(const std::string &device, const std::string &arch,
                          const RunFacts &facts);

/// That of a GPU with nothing else on it. Opens none.
MemoryBound targetMemory(const Target &target);

/// The facts of a run of these queries, which keeps all results until the last query is done.
RunFacts runFacts(const Model &model, std::span<const Query> queries, unsigned threads);

/// The function for PlanOptions::largerBound. For "auto" it returns the GPU's memory, if there is a
/// GPU that the planner knows; a plan that needs this memory runs on the GPU (place_program.h). A
/// GPU that fails is MemoryBound::fault. For other devices it is empty.
std::function<std::optional<MemoryBound>()> largerMemory(const std::string &device);

/// Completes `settings`: sets their memory bound, unless they have one, their function that looks
/// for a GPU, and what runs cost. `facts` as in machineMemory.
void completeForMachine(CompileSettings &settings, const RunFacts &facts);

} // namespace mpf
