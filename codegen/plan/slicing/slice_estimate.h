// Defines the estimate of the cost of a program in slices, bucket by bucket. It is computed by
// slice_estimator.h.
#pragma once

#include "codegen/plan/program/slice_levels.h"
#include "codegen/plan/program/table_program.h"

#include <limits>
#include <span>
#include <vector>

namespace mpf {

/// One bucket; its scopes are without the sliced variables.
struct BucketEstimate {
  uint32_t scopeBegin = 0, scopeCount = 0; ///< in SliceEstimate::scopes; its own variable last
  double log2Addresses = 0;                ///< addresses of one run
  /// Entries of the message that it writes, the messages that it reads, and the sums of loops
  /// around it that end early.
  double log2LocalElems = 0;
  double log2AliveElems = 0; ///< log2LocalElems and the messages that wait for other buckets
  uint64_t dependsOn = 0;    ///< set of sliced variables: bit i for the i-th that was given
};

/// An estimate; numbers are logarithms because they may be beyond any integer type.
struct SliceEstimate {
  std::vector<VarId> sliced; ///< outermost loop first, in the order that repeats the least work
  LoopTree loops;            ///< loop k is that of sliced[k - 1]
  /// Sum over buckets of their addresses times how often they run. A bucket counts as at least the
  /// SliceEstimator's leastAddresses.
  double log2Work = 0;
  double log2LargestLocalElems = 0, log2MostAliveElems = 0; ///< the greatest of all buckets
  /// Marginals: entries of all messages, which the downward pass needs; -infinity for other
  /// queries.
  double log2HeldElems = -std::numeric_limits<double>::infinity();
  double log2Slices = 0;
  std::vector<BucketEstimate> buckets;
  std::vector<VarId> scopes;  ///< the scopes of all buckets, one after another
  std::vector<uint64_t> ties; ///< sets of sliced variables of tables that are in no bucket

  std::span<const VarId> scope(const BucketEstimate &bucket) const {
    return std::span(scopes).subspan(bucket.scopeBegin, bucket.scopeCount);
  }
};

/// A message between two buckets of an estimate.
struct MessageRead {
  uint32_t writer = 0, reader = 0;
  double elems = 0;
  uint64_t entered = 0; ///< loops that the reader is in and the message is not
};

} // namespace mpf
