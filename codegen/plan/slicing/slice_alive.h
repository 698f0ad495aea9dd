// Estimates how much memory the messages take that wait while one bucket of a sliced program runs.
//
// Operations run depth first, and the subtree that needs the most memory beyond its message runs
// first, as pass_order_operations.h will order them. A message that a loop reads from outside is
// computed before the loop and stays in memory until the loop ends (pass_nest_operations.h).
#pragma once

#include "codegen/plan/slicing/slice_estimate.h"

#include <algorithm>
#include <cmath>
#include <vector>

namespace mpf {

/// A number of entries that is finite and only for comparisons: at most 2^900.
inline double comparableElems(double log2Elems) { return std::exp2(std::min(log2Elems, 900.0)); }

/// Fills BucketEstimate::log2AliveElems from the other members. `reads` must be in ascending order
/// of readers; the messages of each reader are put into the order in which they are computed.
void findAlive(std::vector<BucketEstimate> &buckets, std::vector<MessageRead> &reads);

} // namespace mpf
