// Rewrites a program so that it needs less memory. Goes through its operations in order and keeps
// track of the messages in memory. Drops messages when there is no room (resident_messages.h), and
// inserts operations that compute them again before they are needed.
#pragma once

#include "codegen/plan/program/table_program.h"
#include "codegen/plan/remat/message_uses.h"

#include <cstdint>
#include <limits>
#include <optional>

namespace mpf {

/// The memory for the results of a program, without its inputs.
struct RecomputeRoom {
  uint64_t entryBytes = 8; ///< bytes of one entry, sign byte included
  uint64_t bytes = 0;      ///< aim for all results together; single operations may need more
  uint64_t mostBytes = std::numeric_limits<uint64_t>::max(); ///< give up when they need more
};

/// Returns the program with second copies of operations inserted before the operations that need
/// their results. Chains are dropped, and so are operations that no output needs any more. Holes
/// between tables are not counted (program_memory.h computes the peak). Returns nothing when this
/// needs more than room.mostBytes, more than 32 times the addresses, or too many steps to find. The
/// same arguments give the same program.
std::optional<TableProgram> recomputeWithin(const MessageUses &uses, const RecomputeRoom &room);

/// Returns about the least room, in bytes, that recomputing can reach. It is the most that one
/// operation needs for the tables that it reads and writes, beside the tables that cannot be
/// computed again. Operands that share memory are counted for each, so this may exceed the true
/// least.
uint64_t leastRoom(const MessageUses &uses, uint64_t entryBytes);

} // namespace mpf
