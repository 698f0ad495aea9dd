#include "codegen/plan/slicing/slice_estimator.h"

#include "codegen/plan/program/slice_levels.h"
#include "codegen/plan/slicing/slice_alive.h"
#include "codegen/plan/slicing/slice_loop_order.h"
#include "dsl/support/bits.h"
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
/// Tolerance for sums of logarithms, where pass_eliminate.h compares numbers of entries.
constexpr double kRounding = 1e-9;

/// Returns log2Sum; fast for many numbers of which few matter.
double addElems(double log2Sum, double log2Elems) {
  constexpr double kLost = 60; // binary places apart
  if (log2Elems < log2Sum - kLost)
    return log2Sum;
  return mpf::log2Sum(log2Sum, log2Elems);
}

} // namespace

SliceEstimator::SliceEstimator(const TableProgram &initial, double leastAddresses)
    : program_(initial), leastAddresses_(leastAddresses), place_(initial.variables.size(), kAbsent),
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
                                       const std::vector<VarId> &sliced, LoopEnds ends) {
  MPF_CHECK(sliced.size() <= kMaxLoops, "{} sliced variables, at most {} are possible",
            sliced.size(), kMaxLoops);
  MPF_CHECK(order.size() + sliced.size() == program_.order.size(),
            "{} ordered and {} sliced variables of {}", order.size(), sliced.size(),
            program_.order.size());
  order_ = &order;
  const std::vector<VarId> &kept = program_.table(program_.operations.front().result).scope;
  heldCount_ = kept.size();
  ends_ = ends;
  loops_.assign(sliced.size(), {});
  numbers_.clear();
  UnorderedLoops loops{sliced, {}, {}};
  for (uint32_t i = 0; i < sliced.size(); ++i) {
    const auto copies = static_cast<uint32_t>(std::count(kept.begin(), kept.end(), sliced[i]));
    heldCount_ -= copies;
    loops_[i].end = kLast;
    loops_[i].waiting = copies; // its identity (slice_copies.h) is read by no bucket
    loop_[sliced[i].index()] = i;
    loops.log2Extents.push_back(log2Extent(sliced[i]));
  }
  for (uint32_t i = 0; i < order.size(); ++i)
    place_[order[i].index()] = i;
  first_.assign(order.size() + 1, 0);
  seen_.assign(order.size(), kAbsent);
  places_.clear();
  pieces_.assign(1, {});
  estimate_ = {};
  reads_.clear();
  estimate_.buckets.reserve(order.size());
  addInputs();
  for (size_t i = order.size(); i > heldCount_; --i)
    eliminate(i);
  for (const VarId id : sliced)
    loop_[id.index()] = kAbsent;
  addSums();
  addWaiting();
  for (const Loop &loop : loops_)
    loops.ends.push_back(loop.end);
  orderSliceLoops(estimate_, loops, leastAddresses_);
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

/// Puts a table into its bucket. A table over output variables and sliced variables alone is in no
/// bucket.
void SliceEstimator::wait(Piece piece, size_t bucket) {
  if (piece.count > 0)
    forBits(piece.dependsOn, [this](size_t loop) { ++loops_[loop].waiting; });
  else if (piece.dependsOn != 0)
    numbers_.push_back(piece.dependsOn);
  if (bucket <= heldCount_) {
    if (piece.dependsOn != 0)
      estimate_.ties.push_back(piece.dependsOn);
    return;
  }
  MPF_CHECK(bucket < first_.size(), "bucket {} of {}", bucket, first_.size());
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
    forBits(piece.dependsOn, [&](size_t loop) {
      MPF_CHECK(loops_[loop].waiting > 0, "bucket {} reads more tables than wait for loop {}",
                bucket, loop);
      --loops_[loop].waiting;
    });
    local = addElems(local, piece.log2MessageElems);
    if (piece.log2MessageElems > kNoElems)
      reads_.push_back({piece.bucket, static_cast<uint32_t>(estimate_.buckets.size()),
                        comparableElems(piece.log2MessageElems), piece.dependsOn});
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
  message.bucket = static_cast<uint32_t>(estimate_.buckets.size());
  estimate.scopeCount = message.count + 1;
  estimate.log2Addresses = log2Elems + log2Extent(order[own]);
  estimate.log2LocalElems = addElems(local, log2Elems);
  estimate.dependsOn = message.dependsOn;
  if (traitsOf(program_.kind).goesDownward)
    estimate_.log2HeldElems = addElems(estimate_.log2HeldElems, log2Elems);
  estimate_.buckets.push_back(estimate);
  const size_t next = message.count == 0 ? 0 : size_t{last} + 1;
  if (ends_ != LoopEnds::Last && next > heldCount_)
    endLoops(message);
  wait(message, next);
}

/// Ends the loops that end with this message, as pass_eliminate.h does.
void SliceEstimator::endLoops(Piece &message) {
  forBits(message.dependsOn, [&](size_t i) {
    loops_[i].log2LargestElems = std::max(loops_[i].log2LargestElems, message.log2MessageElems);
  });
  for (bool any = true; std::exchange(any, false);)
    forBits(message.dependsOn, [&](size_t i) {
      Loop &loop = loops_[i];
      const uint64_t bit = uint64_t{1} << i;
      if (loop.waiting > 0 ||
          (ends_ == LoopEnds::WhenSmall &&
           message.log2MessageElems + kLog2SmallSum > loop.log2LargestElems + kRounding))
        return;
      for (const uint64_t number : numbers_)
        if ((number & bit) != 0 && (number & ~message.dependsOn) != 0)
          return;
      std::erase_if(numbers_, [bit](uint64_t number) { return (number & bit) != 0; });
      message.dependsOn &= ~bit;
      loop.end = static_cast<uint32_t>(estimate_.buckets.size());
      loop.log2SumElems = message.log2MessageElems;
      any = true;
    });
}

/// Adds the sum of each loop that ends early to the buckets inside it: it is in memory as long as
/// the loop runs.
void SliceEstimator::addSums() {
  for (size_t i = 0; i < loops_.size(); ++i)
    if (loops_[i].end != kLast)
      for (BucketEstimate &bucket : estimate_.buckets)
        if (bucket.dependsOn >> i & 1)
          bucket.log2LocalElems = addElems(bucket.log2LocalElems, loops_[i].log2SumElems);
  for (const BucketEstimate &bucket : estimate_.buckets)
    estimate_.log2LargestLocalElems =
        std::max(estimate_.log2LargestLocalElems, bucket.log2LocalElems);
}

/// Adds the messages that wait; for marginals log2HeldElems has all messages.
void SliceEstimator::addWaiting() {
  if (traitsOf(program_.kind).goesDownward) {
    for (BucketEstimate &bucket : estimate_.buckets)
      bucket.log2AliveElems = bucket.log2LocalElems;
  } else {
    for (MessageRead &read : reads_)
      read.entered = estimate_.buckets[read.reader].dependsOn & ~read.entered;
    findAlive(estimate_.buckets, reads_);
  }
  for (const BucketEstimate &bucket : estimate_.buckets)
    estimate_.log2MostAliveElems = std::max(estimate_.log2MostAliveElems, bucket.log2AliveElems);
}

} // namespace mpf
