// Touches the pages of large tables before a run, so that a lack of memory is found early.
#pragma once

#include <cstddef>
#include <cstdint>
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
void claimMemory(std::span<const std::span<std::byte>> tables, const std::string &query);

/// Whether a run may touch `bytes` more without claiming them: they are few, or at most half of the
/// free memory.
bool mayTouch(uint64_t bytes);

} // namespace mpf
