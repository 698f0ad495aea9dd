// TABLE SET: where the tables of a run are, what is known about them, and the slice that is being
// computed. A run has one. Threads that compute slices side by side have one each: what every slice
// computes anew is in an arena of the thread, everything else is shared.
#pragma once

#include "codegen/bundle/table_state.h"
#include "runtime/execute/host/best_slice.h"

#include <cstddef>
#include <vector>

namespace mpf {

struct TableSet {
  std::vector<std::byte *> entries; ///< by buffer
  std::vector<TableState> states;   ///< by buffer
  SliceStates slice;
  BestSlice best;
};

} // namespace mpf
