// Recomputes messages, so that marginals take less memory than all messages together.
//
// The downward pass needs every upward message once more (pass_downward.h), so a marginals program
// holds them all. Where that exceeds the bound, messages are dropped after a use. They are computed
// again just before the next use, from what is still in memory.
//
// A chain of n buckets needs one more upward pass with 2 sqrt(n) messages in memory, and more work
// with fewer. See Griewank 1992, "Achieving logarithmic growth of temporal and spatial complexity
// in reverse automatic differentiation", and Chen et al. 2016, section 4. The choice of the
// messages to drop is described in resident_messages.h. The answers have the same bits, because the
// same operations run on the same operands. Conditioning (slice_variables.h) repeats the downward
// pass as well; it is needed when the tables of single buckets exceed the bound.
#pragma once

#include "codegen/plan/program/program_memory.h"

#include <cstdint>

namespace mpf {

struct RecomputeBound : MemoryLimit {
  bool orLeast = false; ///< if the bound cannot be kept, take as little memory as possible
};

/// Runs after pass_nest_operations.h and pass_share_tables.h. A table that shares a recomputed
/// message's entries then gets a computation of its own. The program stays as it is
/// - when its query does not ask for marginals;
/// - when its peak is within the bound, or above 2^61 bytes;
/// - when the bound cannot be kept (without orLeast), or only with many times the work
///   (rematerialize.h).
void passRecomputeMessages(TableProgram &program, const RecomputeBound &bound);

/// Returns about the least peak that recomputing can reach: the inputs and what single operations
/// need (leastRoom in rematerialize.h). UINT64_MAX when the tables take more than 2^61 bytes.
uint64_t leastPeakBytes(const TableProgram &program, const RecomputeBound &bound);

} // namespace mpf
