// Takes large tables' pages before the run does, with an eye on who else takes them.
#pragma once

#include "runtime/execute/host/aligned_memory.h"

#include <span>
#include <string>

namespace mpf {

/// Two runs that were planned into the same free memory both find it free, because pages count as
/// taken only when they are touched. Tables of more than half of what is left are therefore touched
/// here, 32 MiB at a time, while what is left is enough for the rest; when it no longer is,
/// Error(MemoryBound) and not the kernel ends the run. Two runs whose tables each take less fit
/// beside each other. Does nothing for tables below 64 MiB. `query`: its name, for the message.
void claimMemory(std::span<const AlignedMemory *const> tables, const std::string &query);

} // namespace mpf
