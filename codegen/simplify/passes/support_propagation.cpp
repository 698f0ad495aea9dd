#include "codegen/simplify/passes/support_propagation.h"

#include "dsl/support/counts.h"

#include <algorithm>
#include <array>
#include <bit>
#include <numeric>
#include <utility>

namespace mpf {

namespace {

/// The work that is always allowed, so that small networks are propagated to the end. Most others
/// need a few reads of each entry.
constexpr uint64_t kFreeWork = uint64_t{1} << 22;
constexpr uint64_t kMostWorkPerEntry = 8;

constexpr int kMostBits = 64;

} // namespace

SupportPropagation::SupportPropagation(const SimplifyState &state, const Incidence &incidence)
    : state_(state), incidence_(incidence), hasZeros_(state.factors.size(), 0),
      bits_(state.factors.size()), queued_(state.factors.size(), 0) {
  uint64_t entries = 0;
  for (size_t f = 0; f < state.factors.size(); ++f) {
    const SimplifyFactor &factor = state.factors[f];
    entries = saturatingAdd(entries, factor.known() ? factor.values.size() : 0);
    hasZeros_[f] = factor.known() && std::find(factor.values.begin(), factor.values.end(),
                                               state.algebra.zero()) != factor.values.end();
  }
  mostWork_ = std::max(kFreeWork, saturatingMul(kMostWorkPerEntry, entries));
  if (!hasZeros())
    return;
  for (const SimplifyVariable &variable : state.variables) {
    lists_.push_back({listed_.size(), variable.extent});
    listed_.resize(listed_.size() + variable.extent);
    std::iota(listed_.end() - variable.extent, listed_.end(), 0);
  }
  for (size_t f = 0; f < state.factors.size(); ++f)
    if (hasZeros_[f] && !state.factors[f].scope.empty() &&
        state.factors[f].values.size() <= kMostBits)
      addBits(static_cast<uint32_t>(f));
}

void SupportPropagation::addBits(uint32_t f) {
  const SimplifyFactor &factor = state_.factors[f];
  const uint64_t entries = factor.values.size();
  Bits &bits = bits_[f];
  bits.first = slices_.size();
  for (uint64_t i = 0; i < entries; ++i)
    bits.nonZero |= uint64_t{!state_.algebra.isZero(factor.values[i])} << i;
  uint64_t stride = entries;
  for (const VarId id : factor.scope) {
    const uint32_t extent = state_.extent(id);
    stride /= extent;
    uint64_t slice = 0; // the entries of the first state
    for (uint64_t i = 0; i < entries; i += stride * extent)
      slice |= (~uint64_t{0} >> (uint64_t{kMostBits} - stride)) << i;
    for (uint32_t state = 0; state < extent; ++state)
      slices_.push_back(slice << (state * stride));
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
  const size_t first = listed_.size();
  listed_.push_back(state);
  return shrink(id, first, UINT32_MAX) && propagate();
}

bool SupportPropagation::refute(VarId id, uint32_t state) {
  const size_t first = listed_.size();
  const List list = lists_[id.index()];
  for (size_t i = list.first; i < list.first + list.count; ++i)
    if (const uint32_t other = listed_[i]; other != state)
      listed_.push_back(other);
  return shrink(id, first, UINT32_MAX) && propagate();
}

void SupportPropagation::undo(size_t trailLength) {
  for (; trail_.size() > trailLength; trail_.pop_back()) {
    List &list = lists_[trail_.back().variable.index()];
    listed_.resize(list.first);
    list = trail_.back().before;
  }
}

DomainMasks SupportPropagation::masks() const {
  DomainMasks stays(lists_.size());
  for (size_t i = 0; i < lists_.size(); ++i) {
    const uint32_t extent = state_.variables[i].extent;
    if (lists_[i].count == extent)
      continue;
    stays[i].assign(extent, 0);
    for (const uint32_t state : states(VarId{i}))
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
  if (bits_[f].nonZero != 0)
    return visitBits(f);
  if (scan(factor) == 0)
    return true;
  for (size_t a = 0; a < factor.scope.size(); ++a) {
    if (axes_[a].missing == 0)
      continue;
    const VarId id = factor.scope[a];
    const size_t first = listed_.size();
    const List list = lists_[id.index()];
    for (uint32_t place = 0; place < list.count; ++place)
      if (supported_[axes_[a].supported + place]) {
        const uint32_t state = listed_[list.first + place];
        listed_.push_back(state);
      }
    if (!keepSupported(id, first, f))
      return false;
  }
  return true;
}

bool SupportPropagation::keepSupported(VarId id, size_t first, uint32_t factor) {
  // A variable that must keep its states keeps those without support too, because a session may
  // choose any of them; only if no state has support, the problem is impossible.
  if (state_.mayShrink(id) || listed_.size() == first)
    return shrink(id, first, factor);
  listed_.resize(first);
  return true;
}

bool SupportPropagation::visitBits(uint32_t f) {
  const std::vector<VarId> &scope = state_.factors[f].scope;
  const Bits &bits = bits_[f];
  uint64_t box = ~uint64_t{0}; // the entries at the states that are left
  const uint64_t *slices = &slices_[bits.first];
  for (const VarId id : scope) {
    uint64_t left = 0;
    for (const uint32_t state : states(id))
      left |= slices[state];
    box &= left;
    slices += state_.extent(id);
  }
  const uint64_t open = box & bits.nonZero;
  bool possible = true, isMissing = false;
  int last = 0; // the entry at which a scan of all entries would find no place missing
  slices = &slices_[bits.first];
  for (const VarId id : scope) {
    std::array<uint32_t, kMostBits> supported;
    uint32_t count = 0;
    const std::span<const uint32_t> left = states(id);
    for (const uint32_t state : left) {
      const uint64_t support = open & slices[state];
      if (support == 0)
        continue;
      supported[count++] = state;
      last = std::max(last, std::countr_zero(support));
    }
    slices += state_.extent(id);
    if (count == left.size())
      continue;
    isMissing = true;
    const size_t first = listed_.size();
    listed_.insert(listed_.end(), supported.begin(), supported.begin() + count);
    possible = possible && keepSupported(id, first, f);
  }
  work_ += static_cast<uint64_t>(
      std::popcount(isMissing ? box : box & (~uint64_t{0} >> (kMostBits - 1 - last))));
  return possible;
}

size_t SupportPropagation::layOutAxes(const std::vector<VarId> &scope) {
  if (axes_.size() < scope.size())
    axes_.resize(scope.size());
  size_t missing = 0;
  uint64_t stride = 1;
  for (size_t a = scope.size(); a-- > 0;) {
    const std::span<const uint32_t> states = this->states(scope[a]);
    Axis &axis = axes_[a];
    axis.states = states.data();
    axis.count = axis.missing = static_cast<uint32_t>(states.size());
    axis.place = 0;
    axis.stride = stride;
    axis.supported = missing;
    stride *= state_.extent(scope[a]);
    missing += states.size();
  }
  supported_.assign(missing, 0);
  return missing;
}

/// Marks the places that have a non-zero entry, row by row; a row is along the last axis. Stops
/// once every place has one. A row whose places all have one needs no reading. But its entries
/// count as read, so that the bound on the work does not depend on this.
size_t SupportPropagation::scan(const SimplifyFactor &factor) {
  size_t missing = layOutAxes(factor.scope);
  if (factor.scope.empty()) {
    ++work_;
    return missing;
  }
  const size_t outer = factor.scope.size() - 1;
  Axis &row = axes_[outer];
  const Entry zero = state_.algebra.zero();
  const EntryTable::Iterator entries = factor.values.begin();
  uint64_t base = 0;
  for (size_t a = 0; a < outer; ++a)
    base += axes_[a].stride * axes_[a].states[0];
  const auto mark = [this, &missing](Axis &axis, uint32_t place) {
    if (std::exchange(supported_[axis.supported + place], 1) == 0) {
      --axis.missing;
      --missing;
    }
  };
  do {
    bool isOpen = false; // a place of an outer axis has no entry yet
    for (size_t a = 0; a < outer; ++a)
      isOpen |= supported_[axes_[a].supported + axes_[a].place] == 0;
    uint32_t place = 0;
    for (; place < row.count && (isOpen || row.missing > 0); ++place) {
      if (entries[base + row.states[place]] == zero)
        continue;
      for (size_t a = 0; isOpen && a < outer; ++a)
        mark(axes_[a], axes_[a].place);
      isOpen = false;
      mark(row, place);
      if (missing == 0) {
        work_ += place + 1;
        return 0;
      }
    }
    work_ += row.count;
  } while (nextRow(outer, base));
  return missing;
}

bool SupportPropagation::nextRow(size_t outer, uint64_t &base) {
  for (size_t a = outer; a-- > 0;) {
    Axis &axis = axes_[a];
    const uint32_t before = axis.states[axis.place];
    const bool goesOn = ++axis.place < axis.count;
    axis.place = goesOn ? axis.place : 0;
    // The difference is modulo 2^64 if the new state is smaller.
    base += axis.stride * (uint64_t{axis.states[axis.place]} - before);
    if (goesOn)
      return true;
  }
  return false;
}

bool SupportPropagation::shrink(VarId id, size_t first, uint32_t cause) {
  List &list = lists_[id.index()];
  const auto count = static_cast<uint32_t>(listed_.size() - first);
  if (count == list.count) {
    listed_.resize(first);
    return true;
  }
  trail_.push_back({id, list});
  list = {first, count};
  if (count > 0)
    for (const uint32_t f : incidence_.of(id))
      if (f != cause && hasZeros_[f] && !queued_[f]) {
        queued_[f] = 1;
        queue_.push_back(f);
      }
  return count > 0;
}

} // namespace mpf
