// Estimates how much memory waiting messages take while one bucket of a sliced program runs.
//
// Operations run depth first, and the subtree that needs most memory beyond its message runs first,
// as pass_order_operations.h will order them. A message that a loop reads from outside is computed
// before the loop and stays in memory until the loop ends (pass_nest_operations.h).
#pragma once

#include "codegen/plan/slicing/slice_estimate.h"

#include <algorithm>
#include <cmath>
#include <vector>

namespace mpf {

/// Entries that are only compared: a double holds more than any memory.
inline double comparableElems(double log2Elems) { return std::exp2(std::min(log2Elems, 900.0)); }

/// Fills BucketEstimate::log2AliveElems. `reads`: in ascending order of readers; is put into the
/// order in which the messages are made.
void findAlive(std::vector<BucketEstimate> &buckets, std::vector<MessageRead> &reads);

} // namespace mpf
