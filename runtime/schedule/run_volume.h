// Rough volumes of a run of a bundle, without predictions: operations, loads, memory.
#pragma once

#include "codegen/bundle/bundle.h"

#include <vector>

namespace mpf {

struct RunVolume {
  double loads = 0; ///< operand entries combined: addresses * operands, over all operations
  size_t operations = 0;
};

/// Returns the volume of a whole run, all slices.
RunVolume volumeOf(const Bundle &bundle);

/// The part of a program that runs after the first compute, if only inputs without values in the
/// bundle are bound again.
struct UnboundChange {
  std::vector<char> operations; ///< one flag each: whether it depends on such an input
  uint64_t inputs = 0;          ///< number of such inputs
  double inputBytes = 0;
};
UnboundChange changeOfUnbound(const Bundle &bundle);

/// Returns the memory of the tables of a run on the host: both arenas.
uint64_t tableBytes(const Bundle &bundle);
/// Returns the same without the room for slices side by side (slice_arenas.h), which only threads
/// of a CPU use, and only where memory is left.
uint64_t neededTableBytes(const Bundle &bundle);

} // namespace mpf
