#include "runtime/schedule/launches/planned_ranges.h"

#include "dsl/support/check.h"

#include <algorithm>

namespace mpf {

namespace {

/// Whether a range is within another. Tables in logarithms are wider: nothing is proven for them.
bool contains(const TableState &wide, const TableState &state) {
  return wide.form >= state.form && (state.allZero() || (wide.minExponent <= state.minExponent &&
                                                         wide.maxExponent >= state.maxExponent));
}

} // namespace

bool PlannedRanges::contain(const std::vector<TableState> &states) const {
  return states_ && std::ranges::equal(*states_, states, contains);
}

const std::vector<TableState> &PlannedRanges::widen(const std::vector<TableState> &states) {
  if (!states_)
    return states_.emplace(states);
  MPF_CHECK(states_->size() == states.size(), "{} states for {} buffers", states.size(),
            states_->size());
  for (size_t i = 0; i < states.size(); ++i) {
    TableState &wide = (*states_)[i];
    wide.form = std::max(wide.form, states[i].form);
    wide.minExponent = std::min(wide.minExponent, states[i].minExponent);
    wide.maxExponent = std::max(wide.maxExponent, states[i].maxExponent);
  }
  return *states_;
}

} // namespace mpf
