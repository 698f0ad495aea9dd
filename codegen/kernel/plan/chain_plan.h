// CHAIN PLAN: family `chain`. A run of operations as one kernel: a page of the message is read
// once, several digits are eliminated and introduced on chip, the result is written once; nothing
// in between touches device memory (kernels.md section 5).
//
// Digits that no step reduces or introduces are *outer*: they name pages. A part of them may belong
// to the page, so that reads and writes come in whole lines (*lanes*). All other digits belong to
// the page as a whole.
//
// The kernel that a plan stands for:
//
//   for the pages of this block:
//     fetch the message's page into image 0 (shared memory)
//     for phases:
//       barrier
//       tile[register parts] = image: one tile per thread, thread parts <- threadIdx.x
//       for the steps of the phase:  tile = reduce(tile * factors), all in registers
//       last phase: store the tile;  others: barrier, write the tile into the next image
//
// Images take turns in one stretch of shared memory, each laid out with padding for the writer's
// and the reader's requests. Elimination on chip is the cache page of ICS'08 section 5 with several
// buckets living in it.
#pragma once

#include "codegen/kernel/form/chain_form.h"
#include "codegen/kernel/plan/kernel_header.h"

#include <string>
#include <string_view>
#include <vector>

namespace mpf {

/// A digit or a part of one; the digit's value is the sum over its parts of index * step. Parts
/// cover their digits exactly, so nothing is guarded.
struct ChainPart {
  std::string name; ///< unique in the plan and an identifier: "d2", "d0_b", "d0_l"
  DigitId digit;
  uint64_t extent = 1;
  uint64_t step = 1;
};

/// A factor of a numbering: values of `part` from 0 by `step`.
struct ChainSlot {
  uint32_t part = 0;
  uint64_t extent = 1;
  uint64_t step = 1;
};

/// How the block fetches a page: nearest entries of the message first. The vector slots are one
/// access; threadIdx.x is a number over the thread slots, first fastest; each thread goes through
/// the loop slots.
struct ChainFetch {
  uint32_t vector = 1; ///< entries per access
  std::vector<ChainSlot> threadSlots, loopSlots;
};

struct ChainPhase {
  uint32_t firstStep = 0, stepCount = 0;
  std::vector<uint32_t> registerParts; ///< in the tile at some time, in any order
  std::vector<uint32_t> threadParts;   ///< threadIdx.x is a number over these, first fastest
  /// The image that the phase reads: stride of each part of the plan, 0 where the part is outer or
  /// not there at that time.
  std::vector<uint64_t> stridesElems;
  uint64_t allocatedElems = 0; ///< of the image, with padding
  /// Entries of all factors of the phase are loaded before its barrier; else each step's are loaded
  /// where the step begins.
  bool factorsFirst = true;
};

/// KernelHeader::floorUs is the time to move the message, the factors and the result once at the
/// speed of a copy.
struct ChainPlan : KernelHeader {
  static constexpr std::string_view family = "chain";

  ChainForm form;
  std::vector<ChainPart> parts;
  std::vector<uint32_t> outerParts; ///< the page number is a number over these, last fastest
  /// A block takes this many pages, gridBlocks apart: blocks that run together work on neighbouring
  /// pages, whose parts of a line then meet in L2.
  uint64_t pagesPerBlock = 1;
  ChainFetch fetch;
  std::vector<ChainPhase> phases;
  /// No request to shared memory takes more wavefronts than its width asks for.
  bool conflictFree = false;
};

inline PlanKind kindOf(const ChainPlan &plan) { return {plan.launch.blockThreads}; }

} // namespace mpf
