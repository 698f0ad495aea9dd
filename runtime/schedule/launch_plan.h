// LAUNCH PLAN: what a GPU launches for a bundle, in which order, as plain data. The executor only
// plays it; `--emit=schedule --device gpu` prints it.
//
// Each operation is one of
//   - specialised: its own linear kernel; where the ranges of the inputs do not prove linear
//     arithmetic exact, a table-driven fallback behind it, which computes in logarithms what the
//     first one refused, and a normalisation;
//   - table-driven: one launch of the table-driven kernel, and a normalisation where not proven;
//   - one of a run of small operations, which one block works off in one launch;
//   - in a chain, which one launch does where linear arithmetic is exact for all of it. Where that
//     is not proven, the host looks at the ranges that earlier operations recorded, and the
//     launches of the chain's operations stand behind it for the other case.
// Scales and ranges: codegen/bundle/table_state.h. Which launches may overlap: launch_window.h.
#pragma once

#include "codegen/bundle/kernel_interface.h"

#include <cstdint>
#include <vector>

namespace mpf {

enum class LaunchKind { Specialised, TableDriven, Fallback, Normalise, SmallOperations, Chain };

/// Which arithmetic a launch uses.
enum class LaunchArithmetic {
  Always,  ///< that of its kernel, unchecked: proven exact, plain values, or logarithms throughout
  IfExact, ///< linear where it is exact; else the launch does nothing
  IfInexact, ///< logarithms where linear arithmetic is not exact; else the launch does nothing
  Either,    ///< the kernel decides, operation by operation
  Log,       ///< logarithms, whatever the ranges
};

struct Launch {
  LaunchKind kind = LaunchKind::TableDriven;
  uint32_t first = 0; ///< into Bundle::operations
  uint32_t count = 1; ///< consecutive operations
  LaunchArithmetic arithmetic = LaunchArithmetic::Always;
  /// When it waits for the launches before it. Begin unless its kernel waits by itself.
  WaitPoint wait = WaitPoint::Begin;
  uint64_t gridBlocks = 1;

  bool operator==(const Launch &) const = default;
};

struct LaunchPlan {
  /// By first operation, ascending; launches of one operation in the order above.
  std::vector<Launch> launches;

  /// The host has to look at recorded ranges in between: the launches cannot become one graph.
  bool hostDecides() const {
    for (const Launch &launch : launches)
      if (launch.kind == LaunchKind::Chain && launch.arithmetic == LaunchArithmetic::IfExact)
        return true;
    return false;
  }
  bool operator==(const LaunchPlan &) const = default;
};

} // namespace mpf
