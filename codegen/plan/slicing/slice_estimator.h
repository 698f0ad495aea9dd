// Estimates the cost of conditioning on some variables without building the program: by bucket
// elimination on scopes alone.
//
// Time and memory of one estimate are proportional to the sum of all bucket scopes, a few ns for
// each variable in one. Sizes are logarithms, so buckets of any size can be estimated.
#pragma once

#include "codegen/plan/program/slice_levels.h"
#include "codegen/plan/program/table_program.h"
#include "codegen/plan/slicing/slice_estimate.h"

#include <cstdint>
#include <span>
#include <vector>

namespace mpf {

/// Makes estimates of one program. Not thread-safe.
class SliceEstimator {
public:
  /// `initial`: an initial program, which must outlive the estimator. `leastAddresses`: the least
  /// addresses that a bucket counts as, because it has to be started (RunCosts::leastAddresses).
  explicit SliceEstimator(const TableProgram &initial, double leastAddresses = 0);

  /// Estimates a program in slices. `order`: a global order of all variables that are not in
  /// `sliced`. `sliced`: at most kMaxLoops variables, else Error(Internal). `ends`: as in
  /// pass_eliminate.h. Loops are nested by the rule of slice_loop_order.h.
  SliceEstimate estimate(const std::vector<VarId> &order, const std::vector<VarId> &sliced,
                         LoopEnds ends);

private:
  /// An input or a message: the places of its variables in the order, and its loops.
  struct Piece {
    uint32_t begin = 0, count = 0; ///< in places_
    uint32_t next = 0;             ///< the next piece of the same bucket, in pieces_; 0: none
    uint64_t dependsOn = 0;        ///< set of sliced variables
    double log2MessageElems = 0;   ///< -infinity for inputs, which are stored in any case
    uint32_t bucket = 0;           ///< messages: the bucket that writes it, in the estimate
  };

  /// The loop of a sliced variable, in the order that was given.
  struct Loop {
    uint32_t waiting = 0;        ///< tables that depend on it and on a variable that is not sliced
    double log2LargestElems = 0; ///< its largest message in one slice
    uint32_t end = 0;            ///< number of buckets eliminated when it ends; kLast: all
    double log2SumElems = 0;     ///< entries of its sum, if it ends early
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
  const double leastAddresses_;
  std::vector<double> log2Extents_;            ///< by variable
  std::vector<std::span<const VarId>> inputs_; ///< scopes, equal ones once
  // The next members are the state of the estimate that is being made.
  const std::vector<VarId> *order_ = nullptr;
  size_t heldCount_ = 0;        ///< variables of the result, the first of the order
  std::vector<uint32_t> place_; ///< by variable, in the order
  std::vector<uint32_t> loop_;  ///< by variable, among the sliced ones
  std::vector<uint32_t> first_; ///< by bucket: its first piece, in pieces_; 0: none
  std::vector<uint32_t> seen_;  ///< by place: the last bucket that had it
  std::vector<uint32_t> places_;
  std::vector<Piece> pieces_;
  LoopEnds ends_ = LoopEnds::Last;
  std::vector<Loop> loops_;
  std::vector<MessageRead> reads_; ///< `entered` holds the loops of the message until the end
  std::vector<uint64_t> numbers_;  ///< sets of loops of tables over sliced variables alone
  SliceEstimate estimate_;
};

} // namespace mpf
