// How much there is to do in a run of a bundle, before anything is predicted: operations, what they
// load, the memory they need.
#pragma once

#include "codegen/bundle/bundle.h"

#include <vector>

namespace mpf {

struct RunVolume {
  double loads = 0; ///< operand entries combined: addresses * operands, over all operations
  size_t operations = 0;
};

/// Of a whole run, all slices.
RunVolume volumeOf(const Bundle &bundle);

/// What a run computes after the first, if new values are bound to every input that the bundle has
/// none of, and nothing else is.
struct UnboundChange {
  std::vector<char> operations; ///< one flag each: it depends on such an input
  uint64_t inputs = 0;
  double inputBytes = 0;
};
UnboundChange changeOfUnbound(const Bundle &bundle);

/// The memory for the tables of a run: both arenas.
uint64_t tableBytes(const Bundle &bundle);

} // namespace mpf
