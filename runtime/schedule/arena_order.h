// ARENA ORDER: the pairs of operations whose order is fixed. One reads what the other writes, or
// writes memory that the other reads or writes; results share the work arena.
#pragma once

#include "codegen/bundle/bundle.h"

#include <cstdint>
#include <vector>

namespace mpf {

/// Returns, for each operation, the earlier ones that must end before it starts, ascending. Pairs
/// that follow from others may be missing. `runs`: one flag per operation, empty: all run; an
/// operation that does not run is in no pair. Time: number of accesses, times the logarithm of the
/// buffers in use at a time.
std::vector<std::vector<uint32_t>> arenaOrder(const Bundle &bundle, const std::vector<char> &runs);

} // namespace mpf
