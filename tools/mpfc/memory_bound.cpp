#include "tools/mpfc/memory_bound.h"

#include "tools/mpfc/select_query.h"

namespace mpf::driver {

Options withMemoryBound(Options options, const RunFacts &facts) {
  if (options.maxMemoryBytes) {
    if (options.memorySource.empty())
      options.memorySource = "--max-memory";
    return options;
  }
  MemoryBound bound = machineMemory(options.device, options.target, facts);
  options.maxMemoryBytes = bound.bytes;
  options.memorySource = std::move(bound.source);
  options.largerMemory = largerMemory(options.device);
  return options;
}

Options withMemoryBound(const Options &options, const Model &model) {
  return withMemoryBound(options, runFacts(model, selectQueries(model, options), options.threads));
}

} // namespace mpf::driver
