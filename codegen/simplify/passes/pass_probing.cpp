#include "codegen/simplify/passes/pass_probing.h"

#include "codegen/simplify/passes/implied_zeros.h"
#include "codegen/simplify/passes/support_propagation.h"
#include "codegen/simplify/state/edit_domains.h"
#include "dsl/support/counts.h"

#include <algorithm>

namespace mpf {

namespace {

/// The most entries that one call may look at, in all and per entry of the network. So its time is
/// linear, and at most about ten milliseconds.
constexpr uint64_t kMaxWork = uint64_t{1} << 19;
constexpr uint64_t kMaxWorkPerEntry = 16;

/// The least share of zeros: with fewer, an assumption rarely has consequences.
constexpr double kLeastZeroShare = 0.25;

bool isMostlyConstraints(const SimplifyState &state) {
  uint64_t zeros = 0, entries = 0;
  for (const SimplifyFactor &factor : state.factors) {
    if (!factor.known())
      continue;
    entries += factor.values.size();
    zeros += static_cast<uint64_t>(
        std::count_if(factor.values.begin(), factor.values.end(),
                      [&](Entry entry) { return state.algebra.isZero(entry); }));
  }
  return zeros > 0 && static_cast<double>(zeros) >= kLeastZeroShare * static_cast<double>(entries);
}

} // namespace

bool passProbing(SimplifyState &state) {
  if (!isMostlyConstraints(state))
    return false;
  const Incidence incidence(state);
  SupportPropagation support(state, incidence);
  if (!support.propagateAll()) {
    state.impossible = true;
    return true;
  }
  const uint64_t maxWork =
      std::min(kMaxWork, saturatingMul(kMaxWorkPerEntry, sizeOf(state).entries));
  ImpliedZeros zeros(state, incidence);
  for (size_t i = 0; i < state.variables.size() && support.work() < maxWork; ++i) {
    const VarId id{i};
    if (!state.mayShrink(id) || incidence.of(id).empty())
      continue;
    const std::span<const uint32_t> left = support.states(id);
    const std::vector<uint32_t> states(left.begin(), left.end());
    if (states.size() < 2)
      continue;
    for (const uint32_t assumed : states) {
      if (support.work() >= maxWork)
        break;
      const size_t before = support.trailLength();
      const bool possible = support.assume(id, assumed);
      if (possible && zeros.work() < maxWork)
        zeros.note(support, id);
      support.undo(before);
      if (!possible && !support.refute(id, assumed)) {
        state.impossible = true;
        return true;
      }
    }
  }
  const bool hasNewZeros = zeros.apply();
  return restrictDomains(state, support.masks()) || hasNewZeros;
}

} // namespace mpf
