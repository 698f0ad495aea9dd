// STAGING: how the threads of a block fetch a segment from global into shared memory together.
//
// The plan numbers the vectors of a segment (Segment::fetchParts) and deals them out to consecutive
// threads. Each *slot* is one mixed-radix place of that number. A share is *even* if the number of
// threads divides evenly into the slots. Then the vectors of a thread have constant distances, and
// all its addresses are a base pointer plus constants.
#pragma once

#include "codegen/emit/nest/nest.h"

#include <vector>

namespace mpf {

struct StagingSlot {
  size_t axis = 0;       ///< the nest axis it advances
  uint64_t axisStep = 1; ///< values of that axis per index
  uint64_t extent = 1;
  uint64_t globalStride = 0; ///< elements per index
  uint64_t sharedStride = 0;
  uint64_t threadExtent = 1; ///< even: index = thread part + threadExtent * loop part
  uint64_t loopExtent() const { return extent / threadExtent; }
};

struct Staging {
  std::vector<StagingSlot> slots;     ///< fastest first
  std::vector<uint64_t> entryOffsets; ///< shared offset of each entry of a vector
  uint64_t positions = 1;             ///< vectors per segment: product of the slot extents
  uint64_t busyThreads = 1;           ///< even: threads that fetch; the others are idle
  bool even = false;                  ///< the threads divide evenly into the slots
  bool vectorStore = false;           ///< entries of a vector are neighbours in the segment too

  uint64_t vectorsPerThread() const { return even ? positions / busyThreads : 0; }
};

/// `table` must be an operand with Placement::Shared, and `segment` its segment in the plan. Throws
/// an internal error when the segment's fetch does not cover its entries.
Staging buildStaging(const Nest &nest, const NestTable &table, const Segment &segment);

} // namespace mpf
