// Memory that the threads of several NUMA nodes share.
#pragma once

#include "runtime/execute/host/aligned_memory.h"

#include <span>

namespace mpf {

/// Spreads the pages of `memory`, which nothing has touched, in turn over these nodes, so that its
/// readers share the bandwidth of all of them. Else a page lies on the node whose thread touched it
/// first: often that of the thread that binds the inputs. Nothing happens for memory of less than
/// 8 MiB and for fewer than two nodes. Returns whether the system did it: a container may refuse,
/// which costs speed, nothing else.
bool interleaveMemory(const AlignedMemory &memory, std::span<const unsigned> nodes);

} // namespace mpf
