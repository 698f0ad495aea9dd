// The defaults of compilation that depend on the machine: the memory bound of a plan's tables, and
// the machine itself (this_machine.h). Both mpfc
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

/// Completes `settings`: sets their machine (program_predictor.h), and their memory bound unless
/// they have one. `facts` as in machineMemory. A plan that needs more than the host's memory may
/// take that of a GPU that mpf chooses (largerMemory in compile_settings.h), and then runs on the
/// GPU.
void completeForMachine(CompileSettings &settings, const RunFacts &facts);

} // namespace mpf
