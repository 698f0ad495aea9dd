// What conditioning on some variables would cost, without building the program: bucket elimination
// on scopes alone.
//
// Time and memory of one estimate: the sum of all bucket scopes, a few ns each. Nothing depends on
// extents beyond doubles: buckets of 2^1000 entries are estimated, not built.
#pragma once

#include "codegen/plan/program/slice_levels.h"
#include "codegen/plan/program/table_program.h"
#include "codegen/plan/slicing/slice_estimate.h"

#include <cstdint>
#include <span>
#include <vector>

namespace mpf {

/// For many estimates of one program. Not thread-safe.
class SliceEstimator {
public:
  /// `initial`: one operation over everything; must outlive the estimator.
  explicit SliceEstimator(const TableProgram &initial);

  /// `order`: a global order of all variables that are not in `sliced` (at most kMaxLoops). The
  /// loops are put in the order that repeats least work: those that end earlier inside, else from
  /// the inside out, always the variable whose loop would take least. `ends` as pass_eliminate.h
  /// has it.
  SliceEstimate estimate(const std::vector<VarId> &order, const std::vector<VarId> &sliced,
                         LoopEnds ends);

private:
  /// An input or a message: places in the order, and the loops it depends on.
  struct Piece {
    uint32_t begin = 0, count = 0; ///< in places_
    uint32_t next = 0;             ///< in pieces_, that waits for the same bucket; 0: the last
    uint64_t dependsOn = 0;
    double log2MessageElems = 0; ///< inputs are stored anyway: -infinity
    uint32_t bucket = 0;         ///< of a message: the one that wrote it, in the estimate
  };

  /// A loop, in the order that was given.
  struct Loop {
    uint32_t waiting = 0;        ///< tables that depend on it, numbers per slice left out
    double log2LargestElems = 0; ///< its largest message in one slice
    uint32_t end = 0;            ///< buckets that are eliminated when it ends; kLast: all
    double log2SumElems = 0;     ///< what it adds up; if it ends before the others
  };
  static constexpr uint32_t kLast = UINT32_MAX;

  double log2Extent(VarId id) const { return log2Extents_[id.index()]; }
  void addInputs();
  void wait(Piece piece, size_t bucket);
  void eliminate(size_t bucket);
  void endLoops(Piece &message);
  void addSums();
  void addWaiting();

  const TableProgram &program_;
  std::vector<double> log2Extents_;            ///< by variable
  std::vector<std::span<const VarId>> inputs_; ///< scopes, equal ones once
  // What the estimate at hand works on.
  const std::vector<VarId> *order_ = nullptr;
  size_t heldCount_ = 0;        ///< variables of the result, the first of the order
  std::vector<uint32_t> place_; ///< by variable, in the order
  std::vector<uint32_t> loop_;  ///< by variable, among the sliced ones
  std::vector<uint32_t> first_; ///< by bucket: of pieces_; 0: none
  std::vector<uint32_t> seen_;  ///< by place: the last bucket that had it
  std::vector<uint32_t> places_;
  std::vector<Piece> pieces_;
  LoopEnds ends_ = LoopEnds::Last;
  std::vector<Loop> loops_;
  std::vector<MessageRead> reads_; ///< entered: the loops of the message until all are known
  std::vector<uint64_t> numbers_;  ///< sets of loops that numbers per slice depend on
  SliceEstimate estimate_;
};

} // namespace mpf
