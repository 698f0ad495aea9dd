// ARENA ORDER: which operations must come behind which, whatever else their order: those that read
// what another writes, and those that write memory which another reads or writes, for results share
// the work arena.
#pragma once

#include "codegen/bundle/bundle.h"

#include <cstdint>
#include <vector>

namespace mpf {

/// By operation: earlier ones, ascending, that must have ended before it starts. Those that follow
/// from others need not be listed. `runs`: one flag per operation, empty: all run; an operation
/// that does not run has none and is none. Time: the accesses, times the logarithm of the buffers
/// in use at a time.
std::vector<std::vector<uint32_t>> arenaOrder(const Bundle &bundle, const std::vector<char> &runs);

} // namespace mpf
