// Places the tables that lanes pick rows of: first those that are picked from most for their size,
// in shared memory as long as it lasts.
#pragma once

#include "codegen/bundle/lanes/lane_kernel.h"
#include "codegen/bundle/lanes/lane_program.h"

#include <cstdint>
#include <vector>

namespace mpf {

struct LaneImage {
  std::vector<LaneImageTable> tables; ///< those in shared memory first
  uint64_t sharedElems = 0;           ///< entries of those
  uint64_t elems = 0;                 ///< of all

  const LaneImageTable &of(uint32_t table) const;
  bool isShared(const LaneImageTable &table) const { return table.offsetElems < sharedElems; }
};

/// `vectorElems`: entries of the widest load, 4 or 2.
LaneImage placeLaneTables(const LaneProgram &program, uint64_t vectorElems,
                          uint64_t mostSharedElems);

} // namespace mpf
