// Loads rows whose entries are close but not contiguous, as in messages of variables with few
// states, whose runs are shorter than a vector. Each vector of a row is picked out of two vectors
// of memory.
#pragma once

#include "runtime/execute/cpu/cpu_kernels.h"
#include "runtime/execute/host/zeroed_array.h"

#include <span>

namespace mpf {

/// True if each group of `lanes` offsets is within 2 * lanes neighbouring entries. Picking does not
/// pay for sparser rows.
bool areNear(std::span<const uint64_t> offsets, size_t lanes);

/// The plan of picking the rows of one table. Prepared once per run, for rows up to a fixed length.
template <class T> class RowPermute {
public:
  /// Allocates memory for rows of `mostElems` entries, in whole vectors.
  explicit RowPermute(size_t mostElems);

  /// Plans the picking of rows. `offsets`: those of a whole row's entries; rows may also end after
  /// `shortElems` of them. Returns false if they are too far apart or the kernels have no `pick`.
  bool plan(const CpuKernels<T> &kernels, std::span<const uint64_t> offsets, size_t shortElems);
  bool possible() const { return kernels_ != nullptr; }
  /// Returns one more than the greatest offset of a whole row.
  size_t reach() const { return wholeReach_; }

  /// Copies the first n entries; n is one of the two lengths. Requires possible().
  void copy(const T *from, size_t n, T *to) const;

private:
  const CpuKernels<T> *kernels_ = nullptr;
  ZeroedArray<uint64_t> starts_;   ///< by vector: its least offset
  ZeroedArray<PickLane<T>> lanes_; ///< by entry: its distance from that offset
  size_t wholeElems_ = 0;
  size_t wholeReach_ = 0, shortReach_ = 0; ///< one more than the greatest offset
  size_t lanesReach_ = 0;
  bool even_ = false; ///< all vectors have equal lanes
};

} // namespace mpf
