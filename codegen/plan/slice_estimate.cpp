#include "codegen/plan/slice_estimate.h"

#include "codegen/plan/slice_levels.h"
#include "codegen/plan/slice_loop_order.h"
#include "dsl/support/check.h"
#include "dsl/support/counts.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <utility>

namespace mpf {

namespace {

constexpr uint32_t kAbsent = UINT32_MAX;
constexpr double kNoElems = -std::numeric_limits<double>::infinity();

/// log2Sum for many numbers of which few matter.
double addElems(double log2Sum, double log2Elems) {
  constexpr double kLost = 60; // binary places apart
  if (log2Elems < log2Sum - kLost)
    return log2Sum;
  return mpf::log2Sum(log2Sum, log2Elems);
}

} // namespace

SliceEstimator::SliceEstimator(const TableProgram &initial)
    : program_(initial), place_(initial.variables.size(), kAbsent),
      loop_(initial.variables.size(), kAbsent) {
  for (const ProgramVariable &variable : initial.variables)
    log2Extents_.push_back(std::log2(variable.extent));
  for (const ProgramTable &table : initial.tables)
    if (table.isInput() && !table.scope.empty())
      inputs_.emplace_back(table.scope);
  const auto less = [](std::span<const VarId> a, std::span<const VarId> b) {
    return std::lexicographical_compare(a.begin(), a.end(), b.begin(), b.end());
  };
  const auto equal = [](std::span<const VarId> a, std::span<const VarId> b) {
    return std::equal(a.begin(), a.end(), b.begin(), b.end());
  };
  std::sort(inputs_.begin(), inputs_.end(), less);
  inputs_.erase(std::unique(inputs_.begin(), inputs_.end(), equal), inputs_.end());
}

SliceEstimate SliceEstimator::estimate(const std::vector<VarId> &order,
                                       const std::vector<VarId> &sliced) {
  MPF_CHECK(sliced.size() <= kMaxLoops, "{} sliced variables, at most {} are possible",
            sliced.size(), kMaxLoops);
  order_ = &order;
  const std::vector<VarId> &kept = program_.table(program_.operations.front().result).scope;
  heldCount_ = kept.size();
  std::vector<double> loopExtents;
  for (uint32_t i = 0; i < sliced.size(); ++i) {
    heldCount_ -= static_cast<size_t>(std::count(kept.begin(), kept.end(), sliced[i]));
    loop_[sliced[i].index()] = i;
    loopExtents.push_back(log2Extent(sliced[i]));
  }
  for (uint32_t i = 0; i < order.size(); ++i)
    place_[order[i].index()] = i;
  first_.assign(order.size() + 1, 0);
  seen_.assign(order.size(), kAbsent);
  places_.clear();
  pieces_.assign(1, {});
  estimate_ = {};
  estimate_.buckets.reserve(order.size());
  addInputs();
  for (size_t i = order.size(); i > heldCount_; --i)
    eliminate(i);
  for (const VarId id : sliced)
    loop_[id.index()] = kAbsent;
  orderSliceLoops(estimate_, sliced, loopExtents);
  return std::move(estimate_);
}

void SliceEstimator::addInputs() {
  for (const std::span<const VarId> scope : inputs_) {
    Piece piece;
    piece.begin = static_cast<uint32_t>(places_.size());
    piece.log2MessageElems = kNoElems;
    uint32_t last = 0;
    for (const VarId id : scope)
      if (loop_[id.index()] != kAbsent) {
        piece.dependsOn |= uint64_t{1} << loop_[id.index()];
      } else {
        places_.push_back(place_[id.index()]);
        last = std::max(last, place_[id.index()]);
      }
    piece.count = static_cast<uint32_t>(places_.size()) - piece.begin;
    wait(piece, piece.count == 0 ? 0 : size_t{last} + 1);
  }
}

/// Whose variables are all kept waits for no bucket.
void SliceEstimator::wait(Piece piece, size_t bucket) {
  if (bucket <= heldCount_) {
    if (piece.dependsOn != 0)
      estimate_.ties.push_back(piece.dependsOn);
    return;
  }
  piece.next = std::exchange(first_[bucket], static_cast<uint32_t>(pieces_.size()));
  pieces_.push_back(piece);
}

void SliceEstimator::eliminate(size_t bucket) {
  if (first_[bucket] == 0)
    return; // every table of the variable was sliced away: nothing is left to eliminate
  const std::vector<VarId> &order = *order_;
  const auto own = static_cast<uint32_t>(bucket - 1);
  Piece message;
  message.begin = static_cast<uint32_t>(places_.size());
  BucketEstimate estimate;
  estimate.scopeBegin = static_cast<uint32_t>(estimate_.scopes.size());
  double local = kNoElems, log2Elems = 0;
  uint32_t last = 0;
  for (uint32_t p = first_[bucket]; p != 0; p = pieces_[p].next) {
    const Piece &piece = pieces_[p];
    message.dependsOn |= piece.dependsOn;
    local = addElems(local, piece.log2MessageElems);
    for (uint32_t i = piece.begin; i < piece.begin + piece.count; ++i) {
      const uint32_t place = places_[i];
      if (place == own || std::exchange(seen_[place], own) == own)
        continue;
      places_.push_back(place);
      estimate_.scopes.push_back(order[place]);
      log2Elems += log2Extent(order[place]);
      last = std::max(last, place);
    }
  }
  estimate_.scopes.push_back(order[own]);
  message.count = static_cast<uint32_t>(places_.size()) - message.begin;
  message.log2MessageElems = log2Elems;
  estimate.scopeCount = message.count + 1;
  estimate.log2Addresses = log2Elems + log2Extent(order[own]);
  estimate.log2LocalElems = addElems(local, log2Elems);
  estimate.dependsOn = message.dependsOn;
  estimate_.log2LargestLocalElems =
      std::max(estimate_.log2LargestLocalElems, estimate.log2LocalElems);
  if (program_.kind == QueryKind::Marginals)
    estimate_.log2HeldElems = addElems(estimate_.log2HeldElems, log2Elems);
  estimate_.buckets.push_back(estimate);
  wait(message, message.count == 0 ? 0 : size_t{last} + 1);
}

} // namespace mpf
