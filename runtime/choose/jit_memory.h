// The defaults of compilation that depend on the machine: the memory bound of a plan's tables,
// whether there is a GPU, and the costs of a run (jit_run_costs.h). Both mpfc
// (tools/mpfc/compile/memory_bound.h) and host programs (mpf.h, CompileOptions::maxMemoryBytes) use
// these functions. So both make the same plans, and `mpfc explain` describes the plan that a run
// has.
//
// Figures of the machine are rounded down (memory_limits.h:
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

/// Returns the default memory bound.
/// - If a GPU is required: the free memory of the machine's GPU less the reserve for its context.
/// Opens the GPU.
///   Without a GPU: the memory of `arch` ("sm_90" by default).
/// - Otherwise: the memory that the host has (memory_limits.h) less the memory of a run of
///   `facts` besides its tables. Does not open the GPU. Throws Error(MemoryBound) if not even that
///   fits. Call it after the model is loaded, so that the memory of the model is subtracted
///   already.
MemoryBound machineMemory(const DeviceRequest &devices, const std::string &arch,
                          const RunFacts &facts);

/// Returns the bound for a `target` that nothing else uses. Opens no GPU.
MemoryBound targetMemory(const Target &target);

/// Returns the facts of a run of these queries, which keeps all results until the last query is
/// done.
RunFacts runFacts(const Model &model, std::span<const Query> queries, unsigned threads);

/// Returns the function for PlanOptions::largerBound, which is empty unless the request is open. It
/// returns the GPU's memory, if there is a GPU that the planner knows. A plan that needs this
/// memory runs on the GPU (place_program.h). If the GPU fails, MemoryBound::fault is set.
std::function<std::optional<MemoryBound>()> largerMemory(const DeviceRequest &devices);

/// Completes `settings`: sets their memory bound unless they have one, their function that looks
/// for a GPU, and the costs of runs. `facts` as in machineMemory.
void completeForMachine(CompileSettings &settings, const RunFacts &facts);

} // namespace mpf
