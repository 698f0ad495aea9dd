#include "runtime/choose/jit_memory.h"

#include "runtime/choose/jit_gpu.h"
#include "runtime/choose/jit_run_costs.h"
#include "runtime/execute/host/gpu_or_cpu.h"
#include "runtime/machine/gpu_backend.h"

#include <fmt/core.h>
#include <utility>

namespace mpf {

namespace {

uint64_t gpuBound(uint64_t freeBytes) { return steadyBytes(gpuTableBytes(freeBytes)); }

/// Returns the bound of this machine's GPU.
std::optional<MemoryBound> gpuMemory() {
  const std::optional<uint64_t> bytes = gpuBackendFreeBytes();
  if (!bytes)
    return std::nullopt;
  return MemoryBound{gpuBound(*bytes), "free memory of this machine's GPU", ""};
}

} // namespace

RunFacts runFacts(const Model &model, std::span<const Query> queries, unsigned threads) {
  RunFacts facts;
  facts.threads = threads;
  facts.items = model.variables.size() + model.factors.size();
  for (const Factor &factor : model.factors)
    facts.entries =
        saturatingAdd(facts.entries, storedValues(factor) ? storedValues(factor)->size() : 0);
  uint64_t states = 0;
  for (const Variable &variable : model.variables)
    states = saturatingAdd(states, variable.extent);
  for (const Query &query : queries) {
    uint64_t entries = 1;
    for (const VarId id : query.output)
      entries = saturatingMul(entries, model.variable(id).extent);
    if (traitsOf(query.kind).outputs == QueryOutputs::Posteriors)
      entries = states;
    facts.resultEntries =
        saturatingAdd(facts.resultEntries, saturatingAdd(entries, model.variables.size()));
  }
  return facts;
}

MemoryBound machineMemory(const DeviceRequest &devices, const std::string &arch,
                          const RunFacts &facts) {
  if (!devices.requiresGpu()) {
    TablesBound bound = tablesBound(memoryLimits(), facts);
    return {bound.bytes, std::move(bound.source), ""};
  }
  if (std::optional<MemoryBound> bound = gpuMemory())
    return *bound;
  MemoryBound bound = targetMemory(targetOrReference(arch));
  bound.source += "; this machine has no GPU";
  return bound;
}

MemoryBound targetMemory(const Target &target) {
  return {gpuBound(target.memoryBytes), fmt::format("memory of {}", target.name), ""};
}

std::function<std::optional<MemoryBound>()> largerMemory(const DeviceRequest &devices) {
  if (!devices.isOpen())
    return {};
  return []() -> std::optional<MemoryBound> {
    if (std::string fault = gpuBackendFault(); !fault.empty())
      return MemoryBound{0, "", std::move(fault)};
    if (!plannerKnowsGpu())
      return std::nullopt;
    return onGpuOrCpu(true, gpuMemory, [](std::string fault) {
      return std::optional(MemoryBound{0, "", std::move(fault)});
    });
  };
}

void completeForMachine(CompileSettings &settings, const RunFacts &facts) {
  settings.machineHasGpu = plannerKnowsGpu;
  completeCosts(settings);
  if (settings.maxMemoryBytes)
    return;
  MemoryBound bound = machineMemory(settings.devices, settings.target, facts);
  settings.maxMemoryBytes = bound.bytes;
  settings.memorySource = std::move(bound.source);
  settings.largerMemory = largerMemory(settings.devices);
}

} // namespace mpf
