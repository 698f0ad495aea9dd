#include "tools/mpfc/compile/memory_bound.h"

#include "dsl/support/system/thread_count.h"
#include "tools/mpfc/cases/stream_memory.h"
#include "tools/mpfc/compile/select_query.h"

#include <algorithm>

namespace mpf::driver {

Options withMemoryBound(Options options, RunFacts facts) {
  if (options.streamedBytes != 0) {
    facts.streamedBytes = options.streamedBytes;
    facts.streamThreads = kSureStreamThreads;
    facts.listItems = facts.items;
  }
  if (options.maxMemoryBytes && options.memorySource.empty())
    options.memorySource = "--max-memory";
  completeForMachine(options, facts);
  return options;
}

Options withMemoryBound(const Options &options, const Model &model) {
  return withMemoryBound(options, runFacts(model, selectQueries(model, options), options.threads));
}

Options withStreamMemory(Options options) {
  const uint64_t wanted = wantedStreamBytes(threadCount(options.threads));
  options.streamedBytes = std::max<uint64_t>(streamedWithin(wanted, memoryLimits()), 1);
  return options;
}

} // namespace mpf::driver
