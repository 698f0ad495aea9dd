#include "tools/mpfc/compile/memory_bound.h"

#include "tools/mpfc/compile/select_query.h"

namespace mpf::driver {

Options withMemoryBound(Options options, const RunFacts &facts) {
  if (options.maxMemoryBytes && options.memorySource.empty())
    options.memorySource = "--max-memory";
  completeForMachine(options, facts);
  return options;
}

Options withMemoryBound(const Options &options, const Model &model) {
  return withMemoryBound(options, runFacts(model, selectQueries(model, options), options.threads));
}

} // namespace mpf::driver
