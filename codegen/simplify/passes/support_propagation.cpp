#include "codegen/simplify/passes/support_propagation.h"

#include "codegen/simplify/state/table_ops.h"
#include "dsl/support/counts.h"

#include <algorithm>
#include <numeric>

namespace mpf {

namespace {

/// Small networks are always propagated to the end; most others need a few looks at each entry.
constexpr uint64_t kFreeWork = uint64_t{1} << 22;
constexpr uint64_t kMostWorkPerEntry = 8;

} // namespace

SupportPropagation::SupportPropagation(const SimplifyState &state, const Incidence &incidence)
    : state_(state), incidence_(incidence), hasZeros_(state.factors.size(), 0),
      queued_(state.factors.size(), 0) {
  uint64_t entries = 0;
  for (size_t f = 0; f < state.factors.size(); ++f) {
    const SimplifyFactor &factor = state.factors[f];
    entries = saturatingAdd(entries, factor.known() ? factor.values.size() : 0);
    hasZeros_[f] = factor.known() &&
                   std::any_of(factor.values.begin(), factor.values.end(),
                               [&state](Entry entry) { return state.algebra.isZero(entry); });
  }
  mostWork_ = std::max(kFreeWork, saturatingMul(kMostWorkPerEntry, entries));
  if (!hasZeros())
    return;
  states_.resize(state.variables.size());
  for (size_t i = 0; i < states_.size(); ++i) {
    states_[i].resize(state.variables[i].extent);
    std::iota(states_[i].begin(), states_[i].end(), 0);
  }
}

bool SupportPropagation::hasZeros() const {
  return std::find(hasZeros_.begin(), hasZeros_.end(), 1) != hasZeros_.end();
}

bool SupportPropagation::propagateAll() {
  for (size_t f = 0; f < state_.factors.size(); ++f)
    if (hasZeros_[f] && !queued_[f]) {
      queued_[f] = 1;
      queue_.push_back(static_cast<uint32_t>(f));
    }
  return propagate();
}

bool SupportPropagation::assume(VarId id, uint32_t state) {
  return shrink(id, {state}, UINT32_MAX) && propagate();
}

bool SupportPropagation::refute(VarId id, uint32_t state) {
  std::vector<uint32_t> left = states_[id.index()];
  std::erase(left, state);
  return shrink(id, std::move(left), UINT32_MAX) && propagate();
}

void SupportPropagation::undo(size_t trailLength) {
  for (; trail_.size() > trailLength; trail_.pop_back())
    states_[trail_.back().variable.index()] = std::move(trail_.back().before);
}

DomainMasks SupportPropagation::masks() const {
  DomainMasks stays(states_.size());
  for (size_t i = 0; i < states_.size(); ++i) {
    const uint32_t extent = state_.variables[i].extent;
    if (states_[i].size() == extent)
      continue;
    stays[i].assign(extent, 0);
    for (const uint32_t state : states_[i])
      stays[i][state] = 1;
  }
  return stays;
}

bool SupportPropagation::propagate() {
  bool possible = true;
  while (head_ < queue_.size()) {
    const uint32_t factor = queue_[head_++];
    queued_[factor] = 0;
    if (work_ < mostWork_)
      possible = possible && visit(factor);
  }
  queue_.clear();
  head_ = 0;
  return possible;
}

bool SupportPropagation::visit(uint32_t f) {
  const SimplifyFactor &factor = state_.factors[f];
  scan(factor);
  for (size_t a = 0; a < factor.scope.size(); ++a) {
    const VarId id = factor.scope[a];
    std::vector<uint32_t> left;
    for (size_t place = 0; place < states_[id.index()].size(); ++place)
      if (supported_[a][place])
        left.push_back(states_[id.index()][place]);
    // A variable that must keep its states keeps those without support too, because a session may
    // choose any of them; only if no state has support, the problem is impossible.
    if (left.size() < states_[id.index()].size() && (state_.mayShrink(id) || left.empty()) &&
        !shrink(id, std::move(left), f))
      return false;
  }
  return true;
}

/// Marks the places that have a non-zero entry; stops once every place has one.
void SupportPropagation::scan(const SimplifyFactor &factor) {
  const Extents extents = state_.extents(factor.scope);
  const std::vector<uint64_t> strides = stridesOf(extents);
  supported_.resize(std::max(supported_.size(), factor.scope.size()));
  Extents digits;
  size_t missing = 0;
  for (size_t a = 0; a < factor.scope.size(); ++a) {
    digits.push_back(static_cast<uint32_t>(states_[factor.scope[a].index()].size()));
    supported_[a].assign(digits.back(), 0);
    missing += digits.back();
  }
  Odometer at(digits, std::vector<uint64_t>(digits.size(), 0));
  do {
    ++work_;
    uint64_t offset = 0;
    for (size_t a = 0; a < digits.size(); ++a)
      offset += strides[a] * states_[factor.scope[a].index()][at.digits()[a]];
    if (state_.algebra.isZero(factor.values[offset]))
      continue;
    for (size_t a = 0; a < digits.size(); ++a) {
      char &place = supported_[a][at.digits()[a]];
      missing -= place ? 0 : 1;
      place = 1;
    }
  } while (missing > 0 && at.next());
}

bool SupportPropagation::shrink(VarId id, std::vector<uint32_t> left, uint32_t cause) {
  if (left.size() == states_[id.index()].size())
    return true;
  const bool possible = !left.empty();
  trail_.push_back({id, std::move(states_[id.index()])});
  states_[id.index()] = std::move(left);
  if (possible)
    for (const uint32_t f : incidence_.of(id))
      if (f != cause && hasZeros_[f] && !queued_[f]) {
        queued_[f] = 1;
        queue_.push_back(f);
      }
  return possible;
}

} // namespace mpf
