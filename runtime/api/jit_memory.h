// What this machine says about compiling, when nobody else does: what the tables of a plan may
// take, and whether there is a GPU. The one definition, for mpfc (tools/mpfc/memory_bound.h) and
// for host programs (mpf.h: CompileOptions::maxMemoryBytes), so that both plan alike and what `mpfc
// explain` tells is what a run does.
//
// `device` as in SessionOptions. Figures of the machine are rounded down (memory_limits.h:
// steadyBytes).
#pragma once

#include "codegen/pipeline/compile_settings.h"
#include "dsl/model/model.h"
#include "runtime/api/process_memory.h"

#include <span>

#include <functional>
#include <optional>
#include <string>

namespace mpf {

/// - "gpu": the free memory of the machine's GPU less the reserve for its context; without a GPU
///   that of `arch` ("sm_90", the default). Opens the GPU.
/// - otherwise what the host has (memory_limits.h) less what a run of `facts` takes beside its
///   tables, the GPU untouched; Error(MemoryBound) where not even that fits. To be asked when the
///   model is loaded: what it takes is gone then.
MemoryBound machineMemory(const std::string &device, const std::string &arch,
                          const RunFacts &facts);

/// What runs of these queries need memory for, when all results are kept until the last run.
RunFacts runFacts(const Model &model, std::span<const Query> queries, unsigned threads);

/// PlanOptions::largerBound beside it. "auto": the GPU's memory, if there is one that the planner
/// knows; a plan that needs it runs there (choose_device.h). Otherwise none.
std::function<std::optional<MemoryBound>()> largerMemory(const std::string &device);

/// Completes `settings`: their memory bound, unless they have one, and whom to ask for a GPU.
/// `facts` as machineMemory.
void completeForMachine(CompileSettings &settings, const RunFacts &facts);

} // namespace mpf
