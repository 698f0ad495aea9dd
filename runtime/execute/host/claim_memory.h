// Touches the pages of large tables before a run, so that a lack of memory is found early.
#pragma once

#include "runtime/execute/host/aligned_memory.h"

#include <span>
#include <string>

namespace mpf {

/// Touches tables of more than half of the free memory, 32 MiB at a time. Throws Error(MemoryBound)
/// as soon as the free memory is too small for the rest, before the operating system kills the
/// process.
///
/// Pages count as used only once they are touched, so two runs that are planned at the same time
/// may count on one piece of memory. Two runs whose tables each take less than half fit side by
/// side. Does nothing for tables below 64 MiB. `query` is the query's name, for the message.
void claimMemory(std::span<const AlignedMemory *const> tables, const std::string &query);

} // namespace mpf
