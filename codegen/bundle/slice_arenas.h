// SLICE ARENAS: memory in which several threads of a CPU compute slices of a loop side by side.
//
// A run in slices needs the memory of one slice; each slice overwrites the tables of the slice
// before. The work arena may have room behind its tables, for threads that compute further slices
// at the same time. Each of them has an arena there, with the tables that a slice computes anew
// (private_tables.h). Results of operations outside of the loop are computed once and shared.
//
// The room is part of the work arena, so that the bound, the promise and the taken memory count it.
// The compiler decides how large it is; the executor uses as many arenas as fit into it.
#pragma once

#include "codegen/bundle/bundle.h"

#include <cstddef>
#include <cstdint>
#include <vector>

namespace mpf {

/// The arenas of further threads, for the slices of one loop.
struct SliceArenas {
  uint32_t loop = 0;       ///< counted from 1
  size_t count = 0;        ///< arenas in the room; one slice more is computed at a time
  uint64_t firstBytes = 0; ///< offset of the first arena in the work arena
  uint64_t eachBytes = 0;  ///< distance between two arenas
};

/// Returns the bytes of the work arena that hold tables. The rest is room for arenas, which a run
/// may do without.
uint64_t workTableBytes(const Bundle &bundle);

/// Returns the size of the work arena with room for `threads` slices at a time, as far as both
/// arenas of the bundle together stay within `mostBytes`. A bundle without loops gets no room.
uint64_t workBytesWithRoom(const Bundle &bundle, size_t threads, uint64_t mostBytes);

/// Returns the loops whose slices `threads` threads can compute side by side (side_by_side.h), with
/// arenas in the present room. Takes time linear in the buffers for each of them.
std::vector<SliceArenas> sliceArenas(const Bundle &bundle, size_t threads);

} // namespace mpf
