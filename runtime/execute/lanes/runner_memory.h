// How a case runner divides its memory bound: what all cases share first, then numbers that lose
// nothing for each worker, then linear arithmetic.
#pragma once

#include "codegen/bundle/lanes/lane_program.h"

#include <cstddef>
#include <cstdint>
#include <span>

namespace mpf {

struct RunnerMemory {
  uint64_t commonBytes = 0; ///< tables that all cases share, as numbers that lose nothing
  uint64_t wideBytes = 0;   ///< of one worker that computes in such numbers
  uint64_t wideWorkers = 1; ///< one for each thread, or fewer where the bound does not hold so many
  uint64_t linearBytes = 0; ///< what is left to linear arithmetic in all types
};

/// Throws Error(MemoryBound) where `maxBytes` do not hold the shared tables with one case.
RunnerMemory divideRunnerMemory(const LaneProgram &program, size_t threads, uint64_t maxBytes);

/// Of `linearBytes`, the part of a type where a run has linear arithmetic in all of `types`: by the
/// size of entries, so that each type has as many workers.
uint64_t linearPart(uint64_t linearBytes, ElementType type, std::span<const ElementType> types);

} // namespace mpf
