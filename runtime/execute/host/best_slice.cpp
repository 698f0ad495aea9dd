#include "runtime/execute/host/best_slice.h"

#include "dsl/support/check.h"

#include <algorithm>
#include <cstddef>

namespace mpf {

BestSlice::BestSlice(const Bundle &bundle)
    : sources_(bundle.sliced.size()),
      best_(bundle.sliced.size(), SliceStates(bundle.sliced.size(), 0)) {
  if (bundle.sliced.empty())
    return;
  // The sources of each buffer: loops whose accumulated values are in it and in no later
  // accumulation.
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

void BestSlice::record(uint32_t loop, const SliceStates &states, const BestSlice &inside) {
  SliceStates &own = best_[loop - 1];
  own[loop - 1] = states[loop - 1];
  for (const Source &source : sources_[loop - 1])
    own[source.decided] = inside.best_[source.loop][source.decided];
}

std::vector<uint32_t> BestSlice::noted() const {
  std::vector<uint32_t> noted;
  for (const SliceStates &own : best_)
    noted.insert(noted.end(), own.begin(), own.end());
  return noted;
}

void BestSlice::setNoted(std::span<const uint32_t> noted) {
  MPF_CHECK(noted.size() == best_.size() * best_.size(), "{} states for {} loops", noted.size(),
            best_.size());
  for (size_t loop = 0; loop < best_.size(); ++loop)
    std::copy_n(noted.begin() + static_cast<std::ptrdiff_t>(loop * best_.size()), best_.size(),
                best_[loop].begin());
}

SliceStates BestSlice::states() const {
  SliceStates states(best_.size(), 0);
  for (const Source &source : outermost_)
    states[source.decided] = best_[source.loop][source.decided];
  return states;
}

} // namespace mpf
