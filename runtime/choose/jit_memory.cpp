#include "runtime/choose/jit_memory.h"

#include "codegen/pipeline/joint_queries.h"
#include "codegen/plan/initial/initial_program.h"
#include "dsl/syntax/spelling.h"
#include "runtime/choose/program_predictor.h"
#include "runtime/choose/this_machine.h"
#include "runtime/machine/gpu_backend.h"

#include <algorithm>
#include <fmt/core.h>
#include <utility>

namespace mpf {

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
  uint64_t largest = states;
  const auto add = [&](const Query &query) {
    const AnswerSize size = answerSize(model, query);
    const uint64_t entries =
        traitsOf(query.kind).outputs == QueryOutputs::Posteriors ? states : size.elems;
    if (entries > largest) {
      largest = entries;
      facts.largestResult = fmt::format("; the answer of query {} {}", excerpt(query.name),
                                        largeAnswer(query.kind, size.log2Elems));
    }
    facts.resultEntries =
        saturatingAdd(facts.resultEntries, saturatingAdd(entries, model.variables.size()));
  };
  for (const Query &query : queries)
    std::ranges::for_each(membersOf(query), add); // each has a table of its own
  return facts;
}

MemoryBound machineMemory(const DeviceRequest &devices, const std::string &arch,
                          const RunFacts &facts) {
  if (!devices.requiresGpu()) {
    TablesBound bound = tablesBound(memoryLimits(), facts);
    return {bound.bytes, std::move(bound.source), ""};
  }
  if (const std::optional<uint64_t> bytes = gpuTablesBound(devices.gpuNumber()))
    return {*bytes, std::string(kGpuMemorySource), ""};
  MemoryBound bound = targetMemory(targetOrReference(arch));
  bound.source += "; this machine has no GPU";
  return bound;
}

MemoryBound targetMemory(const Target &target) {
  return {steadyBytes(gpuTableBytes(target.memoryBytes)), fmt::format("memory of {}", target.name),
          ""};
}

void completeForMachine(CompileSettings &settings, const RunFacts &facts) {
  setMachine(settings);
  if (settings.maxMemoryBytes)
    return;
  MemoryBound bound = machineMemory(settings.devices, settings.target, facts);
  settings.maxMemoryBytes = bound.bytes;
  settings.memorySource = std::move(bound.source);
  settings.boundIsOfHost = !settings.devices.requiresGpu();
}

} // namespace mpf
