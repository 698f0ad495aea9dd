#include "runtime/execute/host/best_slice.h"

#include <algorithm>

namespace mpf {

BestSlice::BestSlice(const Bundle &bundle)
    : sources_(bundle.sliced.size()),
      best_(bundle.sliced.size(), SliceStates(bundle.sliced.size(), 0)) {
  if (bundle.sliced.empty())
    return;
  // By buffer: what the accumulated values in it decide, and in no later accumulation yet.
  std::vector<std::vector<Source>> open(bundle.buffers.size());
  for (const BundleOperation &operation : bundle.operations) {
    std::vector<Source> sources;
    for (const BundleAccess &operand : operation.operands)
      unite(sources, open[operand.buffer.index()]);
    if (operation.accumulates) {
      const uint32_t loop = operation.loop - 1;
      std::vector<Source> decided{{loop, loop}};
      for (const Source &source : sources)
        decided.push_back({loop, source.decided});
      sources_[loop] = std::move(sources);
      sources = std::move(decided);
    }
    open[operation.result.buffer.index()] = std::move(sources);
  }
  for (const BundleOutput &output : bundle.outputs)
    unite(outermost_, open[output.buffer.index()]);
}

void BestSlice::unite(std::vector<Source> &into, const std::vector<Source> &from) {
  for (const Source &source : from)
    if (std::find(into.begin(), into.end(), source) == into.end())
      into.push_back(source);
}

void BestSlice::record(uint32_t loop, const SliceStates &states) {
  SliceStates &own = best_[loop - 1];
  own[loop - 1] = states[loop - 1];
  for (const Source &source : sources_[loop - 1])
    own[source.decided] = best_[source.loop][source.decided];
}

SliceStates BestSlice::states() const {
  SliceStates states(best_.size(), 0);
  for (const Source &source : outermost_)
    states[source.decided] = best_[source.loop][source.decided];
  return states;
}

} // namespace mpf
