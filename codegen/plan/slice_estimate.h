// What conditioning on some variables would cost, without building the program: bucket elimination
// on scopes alone.
//
// Time and memory of one estimate: the sum of all bucket scopes. Nothing depends on extents beyond
// doubles: buckets of 2^1000 entries are estimated, not built.
#pragma once

#include "codegen/plan/table_program.h"

#include <limits>
#include <vector>

namespace mpf {

/// One bucket, its scopes without the sliced variables.
struct BucketEstimate {
  std::vector<VarId> scope;  ///< global order
  double log2Addresses = 0;  ///< of one run
  double log2LocalElems = 0; ///< message written plus messages read: alive at the same time
  uint64_t dependsOn = 0;    ///< set of sliced variables: bit i for the i-th given
};

struct SliceEstimate {
  std::vector<VarId> sliced; ///< outermost loop first, as best for sharing between slices
  double log2Work = 0;       ///< bucket addresses times how often each bucket runs
  double log2LargestLocalElems = 0;
  /// Marginals: all messages, for they are needed until the way down.
  double log2HeldElems = -std::numeric_limits<double>::infinity();
  double log2Slices = 0;
  std::vector<BucketEstimate> buckets;

  /// How far the buckets are above a bound, added up as logarithms; 0: none is.
  double excess(double log2BoundElems) const;
};

/// `initial`: one operation over everything. `order`: a global order of all its variables that are
/// not in `sliced` (at most kMaxLoops). The loops are put in the order that repeats least work:
/// from the inside out, always the variable whose loop would take least.
SliceEstimate estimateSlices(const TableProgram &initial, const std::vector<VarId> &order,
                             const std::vector<VarId> &sliced);

} // namespace mpf
