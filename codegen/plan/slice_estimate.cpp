#include "codegen/plan/slice_estimate.h"

#include <algorithm>
#include <cmath>
#include <limits>

namespace mpf {

namespace {

constexpr uint32_t kAbsent = UINT32_MAX;

/// An input or a message: places in the order, ascending, and the loops it depends on.
struct Piece {
  std::vector<uint32_t> scope;
  std::vector<bool> dependsOn;
  double log2MessageElems = -std::numeric_limits<double>::infinity(); ///< inputs: stored anyway
};

double log2Sum(double a, double b) {
  const double high = std::max(a, b), low = std::min(a, b);
  return std::isinf(high) ? high : high + std::log2(1 + std::exp2(low - high));
}

class Elimination {
public:
  Elimination(const TableProgram &initial, const std::vector<VarId> &order,
              const std::vector<VarId> &sliced)
      : program_(initial), order_(order), sliced_(sliced),
        place_(initial.variables.size(), kAbsent), loop_(initial.variables.size(), kAbsent),
        heldCount_(initial.table(initial.operations.front().result).scope.size()),
        waiting_(order.size() + 1) {
    for (uint32_t i = 0; i < order.size(); ++i)
      place_[order[i].index()] = i;
    for (uint32_t i = 0; i < sliced.size(); ++i)
      loop_[sliced[i].index()] = i;
  }

  SliceEstimate run() {
    for (const ProgramTable &table : program_.tables)
      if (table.isInput())
        addInput(table);
    for (size_t i = order_.size(); i > heldCount_; --i)
      eliminate(i);
    orderLoops();
    return std::move(estimate_);
  }

private:
  double log2Extent(VarId id) const { return std::log2(program_.variables[id.index()].extent); }

  void addInput(const ProgramTable &table) {
    Piece piece{{}, std::vector<bool>(sliced_.size(), false)};
    for (const VarId id : table.scope)
      if (loop_[id.index()] != kAbsent)
        piece.dependsOn[loop_[id.index()]] = true;
      else
        piece.scope.push_back(place_[id.index()]);
    std::sort(piece.scope.begin(), piece.scope.end());
    wait(std::move(piece));
  }

  void wait(Piece piece) {
    const size_t bucket = piece.scope.empty() ? 0 : size_t{piece.scope.back()} + 1;
    waiting_[bucket <= heldCount_ ? 0 : bucket].push_back(std::move(piece));
  }

  void eliminate(size_t bucket) {
    Piece message{{}, std::vector<bool>(sliced_.size(), false)};
    double local = message.log2MessageElems;
    for (const Piece &piece : waiting_[bucket]) {
      message.scope.insert(message.scope.end(), piece.scope.begin(), piece.scope.end());
      for (size_t i = 0; i < sliced_.size(); ++i)
        message.dependsOn[i] = message.dependsOn[i] || piece.dependsOn[i];
      local = log2Sum(local, piece.log2MessageElems);
    }
    waiting_[bucket].clear();
    if (message.scope.empty())
      return; // every table of the variable was sliced away: nothing is left to eliminate
    std::sort(message.scope.begin(), message.scope.end());
    message.scope.erase(std::unique(message.scope.begin(), message.scope.end()),
                        message.scope.end());
    BucketEstimate estimate;
    for (const uint32_t at : message.scope) {
      estimate.scope.push_back(order_[at]);
      estimate.log2Addresses += log2Extent(order_[at]);
    }
    message.scope.pop_back();
    message.log2MessageElems = estimate.log2Addresses - log2Extent(order_[bucket - 1]);
    estimate.log2LocalElems = log2Sum(local, message.log2MessageElems);
    estimate.dependsOn = message.dependsOn;
    estimate_.log2LargestLocalElems =
        std::max(estimate_.log2LargestLocalElems, estimate.log2LocalElems);
    estimate_.buckets.push_back(std::move(estimate));
    wait(std::move(message));
  }

  /// From the inside out: the variable on which the least work depends, among what is left.
  void orderLoops() {
    std::vector<bool> left(sliced_.size(), true);
    std::vector<size_t> open; // buckets in no deeper loop
    for (size_t b = 0; b < estimate_.buckets.size(); ++b)
      open.push_back(b);
    double log2Runs = 0;
    for (const VarId id : sliced_)
      log2Runs += log2Extent(id);
    estimate_.log2Slices = log2Runs;
    estimate_.log2Work = -std::numeric_limits<double>::infinity();
    for (size_t n = 0; n < sliced_.size(); ++n) {
      size_t inner = sliced_.size();
      double least = std::numeric_limits<double>::infinity();
      for (size_t i = 0; i < sliced_.size(); ++i) {
        if (!left[i])
          continue;
        double work = -std::numeric_limits<double>::infinity();
        for (const size_t b : open)
          if (estimate_.buckets[b].dependsOn[i])
            work = log2Sum(work, estimate_.buckets[b].log2Addresses);
        if (inner == sliced_.size() || work < least) {
          inner = i;
          least = work;
        }
      }
      left[inner] = false;
      estimate_.sliced.push_back(sliced_[inner]);
      estimate_.log2Work = log2Sum(estimate_.log2Work, least + log2Runs);
      log2Runs -= log2Extent(sliced_[inner]);
      std::erase_if(open, [&](size_t b) { return estimate_.buckets[b].dependsOn[inner]; });
    }
    for (const size_t b : open)
      estimate_.log2Work = log2Sum(estimate_.log2Work, estimate_.buckets[b].log2Addresses);
    std::reverse(estimate_.sliced.begin(), estimate_.sliced.end());
  }

  const TableProgram &program_;
  const std::vector<VarId> &order_, &sliced_;
  std::vector<uint32_t> place_; ///< by variable, in `order`
  std::vector<uint32_t> loop_;  ///< by variable, in `sliced`
  const size_t heldCount_;      ///< variables of the result, the first of `order`
  std::vector<std::vector<Piece>> waiting_;
  SliceEstimate estimate_;
};

} // namespace

double SliceEstimate::excess(double log2BoundElems) const {
  double sum = 0;
  for (const BucketEstimate &bucket : buckets)
    sum += std::max(0.0, bucket.log2LocalElems - log2BoundElems);
  return sum;
}

SliceEstimate estimateSlices(const TableProgram &initial, const std::vector<VarId> &order,
                             const std::vector<VarId> &sliced) {
  return Elimination(initial, order, sliced).run();
}

} // namespace mpf
