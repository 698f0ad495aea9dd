// Places the tables that lanes pick rows of on a GPU. Tables of which a case picks the greatest
// share come first, in shared memory as far as it suffices.
//
// A row begins an odd number of vectors behind the row before it, so that threads that read
// different rows reach different banks of shared memory. If rows were 32 words apart, all would
// begin in the same bank.
#pragma once

#include "codegen/bundle/lanes/lane_kernel.h"
#include "codegen/bundle/lanes/lane_program.h"

#include <cstdint>
#include <vector>

namespace mpf {

/// The part of a block's shared memory for tables. At least two blocks share a multiprocessor, so
/// that one computes while the other waits.
inline constexpr uint64_t kLaneTableBytes = 96 << 10;
/// Entries of the widest load.
inline uint64_t laneVectorElems(ElementType type) { return 16 / elementBytes(type); }

struct LaneImage {
  std::vector<LaneImageTable> tables; ///< those in shared memory first
  uint64_t sharedElems = 0;           ///< entries of the tables in shared memory
  uint64_t elems = 0;                 ///< entries of all tables

  const LaneImageTable &of(uint32_t table) const;
  bool isShared(const LaneImageTable &table) const { return table.offsetElems < sharedElems; }
};

/// Places the tables. `vectorElems` is laneVectorElems of the element type.
LaneImage placeLaneTables(const LaneProgram &program, uint64_t vectorElems,
                          uint64_t mostSharedElems);

} // namespace mpf
