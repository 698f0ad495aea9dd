// What is alive beside a bucket of a program in slices: messages that wait for other buckets.
//
// Operations run depth first, the subtree that needs most memory beyond its message first, as the
// passes will order them (pass_order_operations.h); but what a loop reads from outside was made
// before it and waits as long as it runs (pass_nest_operations.h).
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
