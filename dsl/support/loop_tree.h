// LOOP TREE: which loop of a sliced program is inside which. Planner, bundle and schedule use it;
// codegen/plan/program/slice_levels.h explains the loops.
//
// Loops are numbered from 1, a loop before those inside it. 0 stands for "no loop" and contains all
// loops.
#pragma once

#include <cstddef>
#include <cstdint>
#include <utility>
#include <vector>

namespace mpf {

/// A plain value. `parents[k - 1]` is the loop directly around loop k; it is less than k.
class LoopTree {
public:
  LoopTree() = default;
  explicit LoopTree(std::vector<uint32_t> parents) : parents_(std::move(parents)) {}

  uint32_t count() const { return static_cast<uint32_t>(parents_.size()); }
  uint32_t parent(uint32_t loop) const { return parents_[loop - 1]; }
  const std::vector<uint32_t> &parents() const { return parents_; }

  /// Whether `inner` is `outer` or inside it.
  bool contains(uint32_t outer, uint32_t inner) const {
    while (inner > outer)
      inner = parent(inner);
    return inner == outer;
  }
  /// Returns the loop directly inside `outer` that contains `inner`. `inner` must be inside
  /// `outer`.
  uint32_t childTowards(uint32_t outer, uint32_t inner) const {
    while (parent(inner) != outer)
      inner = parent(inner);
    return inner;
  }

  /// Returns, for each loop, how often an operation directly in it runs; 1 for loop 0.
  /// `extentOf(k)` returns the iterations of loop k.
  template <class ExtentOf> std::vector<double> runs(ExtentOf extentOf) const {
    std::vector<double> runs{1};
    for (uint32_t loop = 1; loop <= count(); ++loop)
      runs.push_back(runs[parent(loop)] * extentOf(loop));
    return runs;
  }

private:
  std::vector<uint32_t> parents_;
};

/// Walks a list of operations and reports the loops that end and begin before each of them.
class LoopPosition {
public:
  explicit LoopPosition(const LoopTree &tree) : tree_(tree) {}

  /// Moves to an operation of `loop`. Calls end(k) for the loops that are left, the innermost
  /// first, then begin(k) for the loops that are entered, the outermost first.
  template <class End, class Begin> void moveTo(uint32_t loop, End end, Begin begin) {
    for (; !tree_.contains(at_, loop); at_ = tree_.parent(at_))
      end(at_);
    while (at_ != loop) {
      at_ = tree_.childTowards(at_, loop);
      begin(at_);
    }
  }

private:
  const LoopTree &tree_;
  uint32_t at_ = 0;
};

} // namespace mpf
