// Memory that the threads of several NUMA nodes share.
#pragma once

#include "runtime/execute/host/aligned_memory.h"

#include <span>

namespace mpf {

/// Spreads the pages of `memory`, which are untouched, in turn over these nodes, so that readers
/// share the bandwidth of all nodes. Otherwise a page is on the node of the thread that touched it
/// first, often the one that binds the inputs.
///
/// Does nothing for less than 8 MiB or fewer than two nodes. Returns whether the system did it: a
/// container may refuse, which only costs speed.
bool interleaveMemory(const AlignedMemory &memory, std::span<const unsigned> nodes);

} // namespace mpf
