// SLICE REPLICAS: a sliced program that computes several slices of a loop side by side (*unroll and
// jam* of compilers). It has the operations of a loop several times, each replica with separate
// tables for the results of its slice. A pass of the loop computes as many slices as there are
// replicas. So the levels of ICPP'10 (section 4.2.1) grow wider. A pass has as many launches as a
// slice had before.
//
// A replica of an operation is named by its *shifts*: for each loop, how many states its slice is
// ahead of the first slice of the pass. Replicas beyond the last slice of a loop compute the last
// slice again, and their results are not added.
//
// Sums take the replicas in the order of slices, so every run gives the same bits. A wider launch
// may split an operation among other blocks, so the last bits may depend on the number of replicas.
#pragma once

#include "codegen/bundle/bundle.h"
#include "runtime/schedule/walk_steps.h"

#include <cstdint>
#include <span>
#include <vector>

namespace mpf {

/// The number of slices side by side for each loop (Bundle::sliced): 1 to the loop's extent.
using SliceReplicas = std::vector<uint32_t>;

/// A bundle for launches: it has operations and buffers once for each replica. Loops, outputs and
/// everything outside of loops are those of the given bundle.
struct ReplicatedBundle {
  /// Buffers of the given bundle keep their numbers and places. Those of further replicas follow,
  /// in memory after the given work arena. Operations between two changes of the loop come replica
  /// by replica, with the shift of the innermost loop fastest.
  Bundle bundle;
  SliceReplicas counts;
  std::vector<uint32_t> original;  ///< by operation: its index in the given bundle
  std::vector<uint32_t> first;     ///< by operation of the given bundle: its replica without shifts
  std::vector<SliceStates> shifts; ///< by operation: one shift per loop
  uint64_t furtherBytes = 0;       ///< memory of the tables of all replicas with shifts

  bool isShifted(uint32_t operation) const;
  uint32_t extent(uint32_t loop) const {
    return bundle.variables[bundle.sliced[loop - 1].index()].extent;
  }
  /// Returns the number of passes of a loop, counted from 1, for one pass of the loops around it.
  uint32_t passes(uint32_t loop) const {
    return static_cast<uint32_t>(ceilDivide(extent(loop), counts[loop - 1]));
  }
  /// Returns the number of passes of each loop in one run; 1 for loop 0.
  std::vector<double> passRuns() const {
    return bundle.loops.runs([this](uint32_t loop) { return passes(loop); });
  }
  /// Returns the slice that the operation computes in the pass whose first slice is `pass`.
  SliceStates statesOf(uint32_t operation, const SliceStates &pass) const;
  /// Turns flags for operations of the given bundle into flags for operations of this one. Without
  /// `allReplicas`, only replicas without shifts get them.
  std::vector<char> flagsOf(const std::vector<char> &given, bool allReplicas) const;
};

/// Returns the number of replicas of each loop's operations; 1 for loop 0.
std::vector<uint64_t> replicasByLoop(const Bundle &bundle, const SliceReplicas &counts);

/// Returns, for each loop, the memory of the tables that every slice computes anew, in bytes,
/// without loops inside it; 0 for loop 0.
std::vector<uint64_t> sliceBytesOf(const Bundle &bundle);

/// Returns, for each loop, whether its passes end by adding slices up; false for loop 0. One launch
/// can then add slices up and enter the next ones.
std::vector<bool> loopsEndingInSums(const Bundle &bundle);

/// Makes the replicas of a bundle. `counts`: empty: no loop has replicas.
ReplicatedBundle replicateSlices(const Bundle &bundle, SliceReplicas counts);

} // namespace mpf
