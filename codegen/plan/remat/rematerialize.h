// Rewrites a program so that it needs less memory: walks through its operations, keeps track of
// what is in memory, drops messages when there is no room (resident_messages.h), and inserts
// operations that compute them again before they are needed.
#pragma once

#include "codegen/plan/program/table_program.h"
#include "codegen/plan/remat/message_uses.h"

#include <cstdint>
#include <limits>
#include <optional>

namespace mpf {

struct RecomputeRoom {
  uint64_t entryBytes = 8;
  uint64_t bytes = 0; ///< bound for all results together; single operations may need more
  uint64_t mostBytes = std::numeric_limits<uint64_t>::max(); ///< gives up when they need this much
};

/// The program with second copies of operations inserted before the operations that need their
/// results. Holes between tables are not counted (program_memory.h computes the peak). Nothing when
/// this needs room.mostBytes or more, takes many times the work, or takes too long to find.
/// Deterministic.
std::optional<TableProgram> recomputeWithin(const MessageUses &uses, const RecomputeRoom &room);

/// A lower bound on the bytes: what the largest operation needs for the tables that it reads and
/// writes.
uint64_t leastRoom(const MessageUses &uses, uint64_t entryBytes);

} // namespace mpf
