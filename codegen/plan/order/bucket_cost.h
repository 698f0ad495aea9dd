// Models the cost of one bucket, from the sizes of its tables only. Every search for orders
// minimises the sum of these costs.
//
// The unit is one elementary operation. A bucket visits every address once and multiplies one entry
// of each operand. In large buckets, operands of at most a sixteenth of the bucket are multiplied
// with each other beforehand and count as one (pass_merge_operands.h). The message is written here
// and read in the next bucket; both count as one operation for each entry, so that one number
// covers memory traffic and arithmetic.
#pragma once

#include <cmath>
#include <cstddef>
#include <cstdint>

namespace mpf {

/// Operands of at most this share of the bucket's addresses count as merged, if the bucket is
/// large.
inline constexpr double kMergedShare = 1.0 / 16;
/// Buckets of fewer addresses are not large: there another operation costs more than it saves.
inline constexpr uint64_t kMergeAddresses = uint64_t{1} << 14;
inline constexpr double kMergedBucketElems = kMergeAddresses;

/// Counts the operands of one bucket. A plain value.
struct BucketOperands {
  size_t large = 0;   ///< operands that count alone
  bool small = false; ///< there are operands that are merged

  void add(double tableElems, double bucketElems) {
    if (tableElems > bucketElems * kMergedShare || bucketElems < kMergedBucketElems)
      ++large;
    else
      small = true;
  }
  double factors() const { return static_cast<double>(large + (small ? 1 : 0)); }
};

/// The cost of a bucket. The memory bound allows messages of `maxMessageElems` entries. A larger
/// one is acceptable only if there is no other way, so its cost is multiplied by the square of the
/// factor by which it is too large.
inline double bucketCost(double bucketElems, double messageElems, const BucketOperands &operands,
                         double maxMessageElems) {
  const double cost = bucketElems * operands.factors() + 2 * messageElems;
  const double excess = messageElems / maxMessageElems;
  return excess > 1 ? cost * excess * excess : cost;
}

} // namespace mpf
