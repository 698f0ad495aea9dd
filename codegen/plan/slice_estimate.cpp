#include "codegen/plan/slice_estimate.h"

#include "codegen/plan/slice_levels.h"
#include "dsl/support/check.h"
#include "dsl/support/counts.h"

#include <algorithm>
#include <bit>
#include <cmath>
#include <limits>

namespace mpf {

namespace {

constexpr uint32_t kAbsent = UINT32_MAX;
constexpr double kNothing = -std::numeric_limits<double>::infinity();

/// An input or a message: places in the order, ascending, and the loops it depends on.
struct Piece {
  std::vector<uint32_t> scope;
  uint64_t dependsOn = 0;
  double log2MessageElems = kNothing; ///< inputs: stored anyway
};

class Elimination {
public:
  Elimination(const TableProgram &initial, const std::vector<VarId> &order,
              const std::vector<VarId> &sliced)
      : program_(initial), order_(order), sliced_(sliced),
        place_(initial.variables.size(), kAbsent), loop_(initial.variables.size(), kAbsent),
        waiting_(order.size() + 1) {
    MPF_CHECK(sliced.size() <= kMaxLoops, "{} sliced variables, at most {} are possible",
              sliced.size(), kMaxLoops);
    const std::vector<VarId> &kept = initial.table(initial.operations.front().result).scope;
    heldCount_ = kept.size();
    for (const VarId id : sliced)
      heldCount_ -= static_cast<size_t>(std::count(kept.begin(), kept.end(), id));
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
    Piece piece;
    for (const VarId id : table.scope)
      if (loop_[id.index()] != kAbsent)
        piece.dependsOn |= uint64_t{1} << loop_[id.index()];
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
    Piece message;
    double local = message.log2MessageElems;
    for (const Piece &piece : waiting_[bucket]) {
      message.scope.insert(message.scope.end(), piece.scope.begin(), piece.scope.end());
      message.dependsOn |= piece.dependsOn;
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
    if (program_.kind == QueryKind::Marginals)
      estimate_.log2HeldElems = log2Sum(estimate_.log2HeldElems, message.log2MessageElems);
    estimate_.buckets.push_back(std::move(estimate));
    wait(std::move(message));
  }

  /// From the inside out: of what is left, the variable whose loop would run for the least time,
  /// inside loops over no more than what its buckets depend on.
  void orderLoops() {
    const size_t count = sliced_.size();
    std::vector<uint64_t> sets; // of buckets in no loop yet, and of what ended loops leave
    std::vector<double> works;  // beside sets: log2 addresses
    for (const BucketEstimate &bucket : estimate_.buckets) {
      sets.push_back(bucket.dependsOn);
      works.push_back(bucket.log2Addresses);
    }
    std::vector<size_t> places; // innermost first
    for (uint64_t left = count == 0 ? 0 : ~uint64_t{0} >> (kMaxLoops - count); left != 0;) {
      size_t inner = 0;
      double least = std::numeric_limits<double>::infinity();
      uint64_t around = 0;
      for (uint64_t rest = left; rest != 0; rest &= rest - 1) {
        const auto i = static_cast<size_t>(std::countr_zero(rest));
        double work = kNothing;
        uint64_t set = 0;
        for (size_t b = 0; b < sets.size(); ++b)
          if (sets[b] >> i & 1) {
            work = log2Sum(work, works[b]);
            set |= sets[b];
          }
        for (uint64_t loops = set; loops != 0; loops &= loops - 1)
          work += log2Extent(sliced_[static_cast<size_t>(std::countr_zero(loops))]);
        if (work < least || rest == left) {
          inner = i;
          least = work;
          around = set;
        }
      }
      const uint64_t bit = uint64_t{1} << inner;
      for (size_t b = sets.size(); b-- > 0;)
        if (sets[b] & bit)
          sets[b] = 0; // its loop is found
      sets.push_back(around & ~bit);
      works.push_back(kNothing);
      left &= ~bit;
      places.push_back(inner);
    }
    for (size_t n = count; n-- > 0;)
      estimate_.sliced.push_back(sliced_[places[n]]);
    addUp(places);
  }

  /// `places`: of the loops among the given variables, the innermost first.
  void addUp(const std::vector<size_t> &places) {
    const auto count = static_cast<uint32_t>(places.size());
    const auto numbered = [&](uint64_t set) {
      uint64_t loops = 0;
      for (uint32_t n = 0; n < count; ++n)
        loops |= (set >> places[n] & 1) << (count - 1 - n);
      return loops;
    };
    std::vector<uint64_t> sets;
    for (const BucketEstimate &bucket : estimate_.buckets)
      sets.push_back(numbered(bucket.dependsOn));
    const LoopTree tree = loopTreeOf(count, sets);
    std::vector<double> log2Runs{0};
    std::vector<char> isOuter(count + 1, 0);
    for (uint32_t loop = 1; loop <= count; ++loop) {
      log2Runs.push_back(log2Runs[tree.parent(loop)] + log2Extent(estimate_.sliced[loop - 1]));
      isOuter[tree.parent(loop)] = 1;
    }
    estimate_.log2Work = kNothing;
    for (size_t b = 0; b < sets.size(); ++b)
      estimate_.log2Work =
          log2Sum(estimate_.log2Work, estimate_.buckets[b].log2Addresses +
                                          log2Runs[static_cast<size_t>(std::bit_width(sets[b]))]);
    estimate_.log2Slices = count == 0 ? 0 : kNothing;
    for (uint32_t loop = 1; loop <= count; ++loop)
      if (!isOuter[loop])
        estimate_.log2Slices = log2Sum(estimate_.log2Slices, log2Runs[loop]);
  }

  const TableProgram &program_;
  const std::vector<VarId> &order_, &sliced_;
  std::vector<uint32_t> place_; ///< by variable, in `order`
  std::vector<uint32_t> loop_;  ///< by variable, in `sliced`
  size_t heldCount_ = 0;        ///< variables of the result, the first of `order`
  std::vector<std::vector<Piece>> waiting_;
  SliceEstimate estimate_;
};

} // namespace

double SliceEstimate::excess(double log2BoundElems) const {
  double sum = 0;
  for (const BucketEstimate &bucket : buckets)
    sum += std::max(0.0, bucket.log2LocalElems - log2BoundElems);
  return sum + std::max(0.0, log2HeldElems - log2BoundElems);
}

SliceEstimate estimateSlices(const TableProgram &initial, const std::vector<VarId> &order,
                             const std::vector<VarId> &sliced) {
  return Elimination(initial, order, sliced).run();
}

} // namespace mpf
