// The modelled cost of one bucket, from the sizes of its tables only. Every search for orders
// minimises the sum of these costs.
//
// The unit is one elementary operation of the target. A bucket visits every address once and
// multiplies one entry of each operand. In large buckets, operands under a sixteenth of the bucket
// are multiplied with each other beforehand and count as one (pass_merge_operands.h). The message
// is written here and read in the next bucket; each entry counts as one operation, so that one
// number covers bytes and arithmetic.
#pragma once

#include <cmath>
#include <cstddef>
#include <cstdint>

namespace mpf {

/// Operands smaller than the bucket by this factor are merged before it is visited, if it is large.
inline constexpr double kMergedShare = 1.0 / 16;
/// In buckets under this many addresses none are: another operation costs more.
inline constexpr uint64_t kMergeAddresses = uint64_t{1} << 14;
inline constexpr double kMergedBucketElems = kMergeAddresses;

/// Counts the operands of one bucket. A plain value.
struct BucketOperands {
  size_t large = 0;
  bool small = false;

  void add(double tableElems, double bucketElems) {
    if (tableElems > bucketElems * kMergedShare || bucketElems < kMergedBucketElems)
      ++large;
    else
      small = true;
  }
  double factors() const { return static_cast<double>(large + (small ? 1 : 0)); }
};

/// The cost of a bucket. A message of more than `maxMessageElems` entries (the memory bound) is
/// only acceptable if nothing else works, so its cost grows with the factor by which it is too
/// large.
inline double bucketCost(double bucketElems, double messageElems, const BucketOperands &operands,
                         double maxMessageElems) {
  const double cost = bucketElems * operands.factors() + 2 * messageElems;
  const double excess = messageElems / maxMessageElems;
  return excess > 1 ? cost * excess * excess : cost;
}

} // namespace mpf
