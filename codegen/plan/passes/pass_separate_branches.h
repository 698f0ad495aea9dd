// Lets branches of the bucket tree run side by side: without it, results take whatever memory is
// free at their time, and an operation then waits for others only because it writes where they
// read. Of marginals, whose downward messages part at every bucket, the longest chain of operations
// that wait for each other is two to nine times as long with shared memory; the memory at most a
// few times as large without.
//
// Which memory an operation may take is in branch_arena.h. One thread, which runs one operation
// after the other, gains nothing. A GPU reads tables several times as fast as long as they stay in
// its cache, so there the pass must not push them out.
#pragma once

#include "codegen/plan/program/device_costs.h"
#include "codegen/plan/program/program_memory.h"

#include <cstdint>

namespace mpf {

/// How many times the least memory a program with separate branches may take.
inline constexpr uint64_t kMostBranchMemory = 4;

/// Marks the program, unless its peak would be above the bound, or above kMostBranchMemory times
/// what it is, or above what the cache of a GPU holds where it is below. `costs`: null if the
/// program is for the CPU alone. Programs with slices stay as they are: they have them because
/// memory is short.
void passSeparateBranches(TableProgram &program, const MemoryLimit &limit, DeviceCosts *costs);

} // namespace mpf
