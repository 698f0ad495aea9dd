#include "codegen/simplify/passes/implied_zeros.h"

#include "codegen/simplify/state/table_ops.h"

#include <algorithm>

namespace mpf {

namespace {

/// The most entries of a factor that is looked at.
constexpr uint64_t kMaxFactorEntries = uint64_t{1} << 19;

} // namespace

ImpliedZeros::ImpliedZeros(SimplifyState &state, const Incidence &incidence)
    : state_(state), incidence_(incidence), excluded_(state.factors.size()) {}

void ImpliedZeros::note(const SupportPropagation &support, VarId id) {
  const uint32_t assumed = support.states(id).front();
  for (const uint32_t f : incidence_.of(id)) {
    const SimplifyFactor &factor = state_.factors[f];
    if (!factor.known() || factor.values.size() > kMaxFactorEntries ||
        std::ranges::all_of(factor.scope, [&](VarId other) {
          return other == id || support.states(other).size() == state_.extent(other);
        }))
      continue;
    Extents extents = state_.extents(factor.scope);
    const std::vector<uint64_t> strides = stridesOf(extents);
    std::vector<std::vector<char>> isLeft; // by axis and state
    uint64_t first = 0;                    // the first entry of the assumed state
    for (size_t a = 0; a < extents.size(); ++a) {
      isLeft.emplace_back(extents[a], 0);
      if (factor.scope[a] == id) {
        extents[a] = 1;
        isLeft[a].front() = 1;
        first = assumed * strides[a];
        continue;
      }
      for (const uint32_t state : support.states(factor.scope[a]))
        isLeft[a][state] = 1;
    }
    Odometer entry(extents, strides);
    do {
      bool isExcluded = false;
      for (size_t a = 0; a < extents.size(); ++a)
        isExcluded |= !isLeft[a][entry.digits()[a]];
      const uint64_t at = first + entry.offset();
      if (isExcluded && !state_.algebra.isZero(factor.values[at])) {
        excluded_[f].resize(factor.values.size(), 0);
        excluded_[f][at] = 1;
      }
      ++work_;
    } while (entry.next());
  }
}

bool ImpliedZeros::apply() {
  bool changed = false;
  for (size_t f = 0; f < excluded_.size(); ++f) {
    if (excluded_[f].empty())
      continue;
    EntryTable &values = state_.factors[f].values;
    EntryTableBuilder entries(excluded_[f].size());
    for (uint64_t i = 0; i < excluded_[f].size(); ++i)
      entries.add(excluded_[f][i] ? state_.algebra.zero() : values[i]);
    values = entries.finish();
    changed = true;
  }
  return changed;
}

} // namespace mpf
