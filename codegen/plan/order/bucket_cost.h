// What one bucket is modelled to cost, from the sizes of its tables alone: the objective of every
// search for orders.
//
// In elementary operations of the target. A bucket visits every address once and multiplies one
// entry of each operand; in big buckets, operands under a sixteenth of it are multiplied with each
// other beforehand and count as one (pass_merge_operands.h). The message is written here and read
// in the next bucket, each entry worth an operation: bytes and arithmetic in one number.
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

/// Messages of more than `maxMessageElems` entries (the memory bound) may be part of a plan only if
/// nothing else works: they cost this much more for every time they are too large.
inline double bucketCost(double bucketElems, double messageElems, const BucketOperands &operands,
                         double maxMessageElems) {
  const double cost = bucketElems * operands.factors() + 2 * messageElems;
  const double excess = messageElems / maxMessageElems;
  return excess > 1 ? cost * excess * excess : cost;
}

} // namespace mpf
