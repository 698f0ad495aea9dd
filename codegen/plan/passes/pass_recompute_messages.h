// Recomputes messages, so that marginals take less memory than all messages together.
//
// The downward pass needs every upward message once more (pass_downward.h), so a marginals program
// holds them all. Where that exceeds the bound, messages are dropped after a use and computed again
// just before the next use, from what is still in memory. For a chain of n buckets, 2 sqrt(n)
// messages in memory cost one more upward pass, and fewer messages cost more (Griewank 1992,
// "Achieving logarithmic growth of temporal and spatial complexity in reverse automatic
// differentiation"; Chen et al. 2016, section 4). resident_messages.h chooses the messages to drop.
// The answers have the same bits, because the same operations run on the same operands.
// Conditioning (slice_variables.h) repeats the downward pass as well; it is needed when the tables
// of single buckets exceed the bound.
#pragma once

#include "codegen/plan/program/program_memory.h"

#include <cstdint>

namespace mpf {

struct RecomputeBound : MemoryLimit {
  bool orLeast = false; ///< if the bound cannot be kept, take as little memory as possible
};

/// Runs after pass_nest_operations.h and pass_share_tables.h: a table that is the same as a message
/// that is computed again is then computed for itself. The program stays as it is when its query
/// does not ask for marginals, when its peak is within the bound or above 2^61 bytes, and when the
/// bound cannot be kept (without orLeast) or only with many times the work (rematerialize.h).
void passRecomputeMessages(TableProgram &program, const RecomputeBound &bound);

/// About the least peak that recomputing can reach: the inputs and what single operations need
/// (leastRoom in rematerialize.h). UINT64_MAX when the tables take more than 2^61 bytes.
uint64_t leastPeakBytes(const TableProgram &program, const RecomputeBound &bound);

} // namespace mpf
