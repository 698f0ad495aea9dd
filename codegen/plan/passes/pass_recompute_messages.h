// MESSAGES COMPUTED AGAIN: marginals in less memory than all messages take together.
//
// The way down needs every upward message once more (pass_downward.h), so a marginals program holds
// them all. Where that is above the bound, messages are dropped after their use and made again from
// what is still there just before the next one: for a chain of n buckets, 2 sqrt(n) messages in
// memory cost one more upward pass, fewer cost more (Griewank 1992, "Achieving logarithmic growth
// of temporal and spatial complexity in reverse automatic differentiation"; Chen et al. 2016,
// section 4). Which one to drop: resident_messages.h. Nothing is rounded another way: the same
// operation on the same operands. Conditioning (slice_variables.h) repeats the way down as well,
// and is left for what single buckets take.
#pragma once

#include "codegen/plan/program/table_program.h"

#include <cstdint>

namespace mpf {

struct RecomputeBound {
  uint64_t bytes = UINT64_MAX; ///< the peak to stay within; nothing is done where it is already
  ElementType type = ElementType::F64;
  bool signedValues = false; ///< program_memory.h
  bool orLeast = false;      ///< where the bound cannot be kept: use as little as possible
};

/// Runs after pass_share_tables.h: a table that shared a message which is computed again is
/// computed for itself. The program stays as it is when it is within the bound, and when
/// recomputing would take many times the work.
void passRecomputeMessages(TableProgram &program, const RecomputeBound &bound);

/// A lower bound on the peak, however many messages are computed again: the inputs and what single
/// operations need.
uint64_t leastPeakBytes(const TableProgram &program, const RecomputeBound &bound);

} // namespace mpf
