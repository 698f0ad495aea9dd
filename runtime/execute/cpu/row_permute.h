// Loads rows whose entries lie near each other but are not contiguous, as in messages of variables
// with few states, whose runs are shorter than a vector. Each vector of a row is picked out of two
// vectors of memory.
#pragma once

#include "runtime/execute/cpu/cpu_kernels.h"
#include "runtime/execute/host/zeroed_array.h"

#include <span>

namespace mpf {

/// Whether each group of `lanes` offsets lies within 2 * lanes neighbouring entries. Sparser rows
/// are not worth picking.
bool areNear(std::span<const uint64_t> offsets, size_t lanes);

/// How the rows of one table are picked. Prepared once per run, for rows of up to a fixed length.
template <class T> class RowPermute {
public:
  /// Memory for rows of `mostElems`, whole vectors.
  explicit RowPermute(size_t mostElems);

  /// `offsets` of a whole row's entries; rows may also end after `shortElems` of them. False:
  /// they are too far apart, or these kernels cannot.
  bool plan(const CpuKernels<T> &kernels, std::span<const uint64_t> offsets, size_t shortElems);
  bool possible() const { return kernels_ != nullptr; }
  /// One more than the greatest offset of a whole row.
  size_t reach() const { return wholeReach_; }

  /// The first n entries, n being one of the two lengths. Only when possible().
  void copy(const T *from, size_t n, T *to) const;

private:
  const CpuKernels<T> *kernels_ = nullptr;
  ZeroedArray<uint64_t> starts_;   ///< of each vector: its least offset
  ZeroedArray<PickLane<T>> lanes_; ///< of each entry: how far behind that
  size_t wholeElems_ = 0;
  size_t wholeReach_ = 0, shortReach_ = 0; ///< one more than the greatest offset
  size_t lanesReach_ = 0;
  bool even_ = false; ///< all vectors have the same lanes
};

} // namespace mpf
