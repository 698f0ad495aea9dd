// SLICE REPLICAS: a sliced program that computes several slices of a loop side by side (*unroll and
// jam* of compilers). The operations of a loop stand in it several times, each time with tables of
// its own for what a slice computes, and the loop passes over so many slices at a time. So the
// levels of ICPP'10 (section 4.2.1) grow wider, and launches, which stay as many for each pass,
// become fewer for each slice.
//
// A replica of an operation is named by its *shifts*: how many states, loop by loop, its slice is
// ahead of the first one of the pass. Replicas whose slice would be behind the loop's last one
// compute the last one again, and their results are not added.
//
// Sums take the replicas in the order of slices, so the same bits come out of every run. A launch
// that is wider may split an operation among other blocks, so the last bits may depend on how many
// replicas there are.
#pragma once

#include "codegen/bundle/bundle.h"
#include "runtime/schedule/walk_steps.h"

#include <cstdint>
#include <span>
#include <vector>

namespace mpf {

/// By loop (Bundle::sliced): how many of its slices run side by side; 1 to the loop's extent.
using SliceReplicas = std::vector<uint32_t>;

/// A bundle for launches: operations and buffers stand in it once for each replica. Loops, outputs
/// and all that is outside of loops are those of the bundle that it was made of.
struct ReplicatedBundle {
  /// Buffers of the given bundle keep their numbers and places; those of further replicas follow,
  /// in memory behind the given work arena. Operations between two changes of the loop stand
  /// replica by replica, the shift of the innermost loop being the fastest.
  Bundle bundle;
  SliceReplicas counts;
  std::vector<uint32_t> original;  ///< by operation: its index in the given bundle
  std::vector<uint32_t> first;     ///< by operation of the given bundle: its replica without shifts
  std::vector<SliceStates> shifts; ///< by operation: one per loop
  uint64_t furtherBytes = 0;       ///< of the tables of all replicas but those without shifts

  bool isShifted(uint32_t operation) const;
  uint32_t extent(uint32_t loop) const {
    return bundle.variables[bundle.sliced[loop - 1].index()].extent;
  }
  /// Of a loop, counted from 1: how often its launches run while the loops around it stand still.
  uint32_t passes(uint32_t loop) const {
    return static_cast<uint32_t>(ceilDivide(extent(loop), counts[loop - 1]));
  }
  /// By loop: passes in one run; 1 for loop 0.
  std::vector<double> passRuns() const {
    return bundle.loops.runs([this](uint32_t loop) { return passes(loop); });
  }
  /// The slice that the operation computes where the first one of the pass is `pass`.
  SliceStates statesOf(uint32_t operation, const SliceStates &pass) const;
  /// One flag per operation of the given bundle becomes one per operation: of all replicas, or of
  /// those without shifts alone.
  std::vector<char> flagsOf(const std::vector<char> &given, bool allReplicas) const;
};

/// By loop: how many replicas of its operations there are; 1 for loop 0.
std::vector<uint64_t> replicasByLoop(const Bundle &bundle, const SliceReplicas &counts);

/// By loop: bytes of the tables that each of its slices computes anew, without those of loops
/// inside it; 0 for loop 0.
std::vector<uint64_t> sliceBytesOf(const Bundle &bundle);

/// By loop: whether each of its passes ends by adding its slices up, which one launch can do with
/// entering the next ones; false for loop 0.
std::vector<bool> loopsEndingInSums(const Bundle &bundle);

/// `counts` empty: no loop has replicas.
ReplicatedBundle replicateSlices(const Bundle &bundle, SliceReplicas counts);

} // namespace mpf
