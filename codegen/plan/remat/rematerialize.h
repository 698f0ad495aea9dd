// One walk through the operations of a program with a book of what is in memory: messages are
// dropped when there is no room (resident_messages.h) and made again when they are needed.
#pragma once

#include "codegen/plan/program/table_program.h"
#include "codegen/plan/remat/message_uses.h"

#include <cstdint>
#include <limits>
#include <optional>

namespace mpf {

struct RecomputeRoom {
  uint64_t entryBytes = 8;
  uint64_t bytes = 0; ///< for all results together, as far as single operations do not need more
  uint64_t mostBytes = std::numeric_limits<uint64_t>::max(); ///< given up when they need that much
};

/// The program with copies of operations put in before those that need their results. Holes between
/// tables are not counted: program_memory.h knows the peak. None: it takes more than
/// room.mostBytes, many times the work, or too long to find out. Deterministic.
std::optional<TableProgram> recomputeWithin(const MessageUses &uses, const RecomputeRoom &room);

/// Bytes that some operation needs for what it reads and writes, whatever else is dropped.
uint64_t leastRoom(const MessageUses &uses, uint64_t entryBytes);

} // namespace mpf
