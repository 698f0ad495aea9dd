// Touches the pages of large tables before a run, so that a lack of memory is found early.
#pragma once

#include "runtime/execute/host/aligned_memory.h"

#include <span>
#include <string>

namespace mpf {

/// Two runs that are planned at the same time may both find the same memory free, since pages count
/// as used only once they are touched. Therefore tables of more than half of the free memory are
/// touched here, 32 MiB at a time, as long as the free memory is enough for the rest. When it no
/// longer is, throws Error(MemoryBound), instead of letting the operating system kill the process.
/// Two runs whose tables each take less than half fit side by side. Does nothing for tables below
/// 64 MiB. `query` is the query's name, for the message.
void claimMemory(std::span<const AlignedMemory *const> tables, const std::string &query);

} // namespace mpf
