// Divides the memory bound of a case runner: first the tables that all cases share, then wide
// numbers for each worker, then linear arithmetic.
#pragma once

#include "codegen/bundle/lanes/lane_program.h"

#include <cstddef>
#include <cstdint>
#include <span>

namespace mpf {

struct RunnerMemory {
  uint64_t commonBytes = 0; ///< tables that all cases share, as wide numbers
  uint64_t wideBytes = 0;   ///< memory of one worker that computes in wide numbers
  uint64_t wideWorkers = 1; ///< one for each thread, or fewer if the bound is too small
  uint64_t linearBytes = 0; ///< memory that is left for linear arithmetic in all types
};

/// Throws Error(MemoryBound) if `maxBytes` do not hold the shared tables and one case.
RunnerMemory divideRunnerMemory(const LaneProgram &program, size_t threads, uint64_t maxBytes);

/// Returns the part of `linearBytes` for one type of a run with linear arithmetic in all of
/// `types`. Parts are proportional to the entries' sizes, so that each type has equally many
/// workers.
uint64_t linearPart(uint64_t linearBytes, ElementType type, std::span<const ElementType> types);

} // namespace mpf
