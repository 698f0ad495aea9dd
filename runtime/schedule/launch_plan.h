// LAUNCH PLAN: the launches of a GPU for a bundle, in order, as plain data. The executor decides
// one thing: whether a chain that is not proven exact runs as one kernel. In a sliced program each
// launch stands here once, and the executor repeats it for every slice of its operations' loop.
// `--emit=schedule --device gpu` prints the plan.
//
// Each operation runs in one of these ways:
//   - specialised: a launch of its own linear kernel. Where the ranges of the inputs do not prove
//     linear arithmetic exact, two launches follow: a table-driven fallback, which computes in
//     logarithms if the first kernel refused, and a normalisation;
//   - table-driven: a launch of the table-driven kernel, and a normalisation where linear
//     arithmetic is not proven exact;
//   - small operations: one launch of one block computes several consecutive operations of one
//     loop;
//   - chain: one launch computes all operations of the chain, if linear arithmetic is exact for all
//     of them. Where that is not proven, the host reads the ranges that earlier operations recorded
//     and decides; the launches of the single operations follow for the other case.
// Scales and ranges: codegen/bundle/table_state.h. Which launches may overlap: launch_window.h.
//
// Blocks of a launch: specialised kernels and chains have the grid of their kernel plan
// (codegen/kernel/plan/kernel_header.h), which the bundle carries. Table-driven launches have as
// many blocks of kTableDrivenThreads threads as the results need (tableDrivenLanes threads each,
// table_driven_shape.h), but at most 8 for each multiprocessor; the blocks then loop. Small
// operations have one block.
#pragma once

#include "codegen/bundle/kernel_interface.h"

#include <cstdint>
#include <vector>

namespace mpf {

enum class LaunchKind { Specialised, TableDriven, Fallback, Normalise, SmallOperations, Chain };

/// Which arithmetic a launch uses.
enum class LaunchArithmetic {
  Always,    ///< its kernel's, unchecked: proven exact, plain values, or logarithms throughout
  IfExact,   ///< linear where it is exact; else the launch does nothing
  IfInexact, ///< logarithms where linear arithmetic is not exact; else the launch does nothing
  Either,    ///< the kernel decides, operation by operation
  Log,       ///< logarithms, whatever the ranges
};

struct Launch {
  LaunchKind kind = LaunchKind::TableDriven;
  uint32_t first = 0; ///< index into Bundle::operations
  uint32_t count = 1; ///< number of consecutive operations
  LaunchArithmetic arithmetic = LaunchArithmetic::Always;
  /// When it waits for earlier launches. Begin unless its kernel itself contains the wait.
  WaitPoint wait = WaitPoint::Begin;
  uint64_t gridBlocks = 1; ///< see above

  bool operator==(const Launch &) const = default;
};

struct LaunchPlan {
  /// Ascending by first operation; launches of one operation in the order described above.
  std::vector<Launch> launches;

  /// Whether the host must read recorded ranges between launches. Then the launches cannot become
  /// one CUDA graph.
  bool hostDecides() const {
    for (const Launch &launch : launches)
      if (launch.kind == LaunchKind::Chain && launch.arithmetic == LaunchArithmetic::IfExact)
        return true;
    return false;
  }
  bool operator==(const LaunchPlan &) const = default;
};

} // namespace mpf
