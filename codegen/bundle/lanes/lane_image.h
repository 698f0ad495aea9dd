// Places the tables that lanes pick rows of on a GPU: first those that are picked from most for
// their size, in shared memory as long as it lasts.
//
// A row begins an odd number of vectors behind the one before it: threads that read different rows
// then reach different banks of shared memory (as few as one of eight where rows are 32 words
// apart).
#pragma once

#include "codegen/bundle/lanes/lane_kernel.h"
#include "codegen/bundle/lanes/lane_program.h"

#include <cstdint>
#include <vector>

namespace mpf {

/// Of a block's shared memory: two blocks at least share a multiprocessor, so that one computes
/// while the other waits.
inline constexpr uint64_t kLaneTableBytes = 96 << 10;
/// Entries of the widest load.
inline uint64_t laneVectorElems(ElementType type) { return 16 / elementBytes(type); }

struct LaneImage {
  std::vector<LaneImageTable> tables; ///< those in shared memory first
  uint64_t sharedElems = 0;           ///< entries of those
  uint64_t elems = 0;                 ///< of all

  const LaneImageTable &of(uint32_t table) const;
  bool isShared(const LaneImageTable &table) const { return table.offsetElems < sharedElems; }
};

/// `vectorElems`: of laneVectorElems.
LaneImage placeLaneTables(const LaneProgram &program, uint64_t vectorElems,
                          uint64_t mostSharedElems);

} // namespace mpf
