// CHAIN PLAN (family `chain`): a run of operations (chain_form.h) as one kernel. A page of the
// message is read once, several digits are eliminated and introduced on chip, and the result is
// written once. Nothing in between touches device memory.
//
// Digits that no step reduces or introduces are *outer*: their values number the pages. A part of
// an outer digit may belong to the page, so that reads and writes come in whole lines; such parts
// are *line parts*. All other digits belong to the page as a whole.
//
// The kernel that a plan describes:
//
//   for the pages of this block:
//     fetch the message's page into image 0 (shared memory)
//     for phases:
//       barrier
//       tile[register parts] = image: one tile per thread, thread parts <- threadIdx.x
//       for the steps of the phase:  tile = reduce(tile * factors), all in registers
//       last phase: store the tile;  others: barrier, write the tile into the next image
//
// All images use the same stretch of shared memory, one after another. Each is laid out and padded
// so that the requests of its writer and its reader do not conflict (chain_layout.h). A page of a
// chain is the cache page of ICS'08 section 5, with several buckets computed in it.
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

/// One factor of a mixed-radix number. Its values are the values 0, step, 2 * step, .. of `part`,
/// `extent` of them.
struct ChainSlot {
  uint32_t part = 0;
  uint64_t extent = 1;
  uint64_t step = 1;
};

/// How a block fetches a page of the message. Entries that are nearest in the message form the
/// vectors, those next to them go to the threads: threadIdx.x is a mixed-radix number over
/// threadSlots, first slot fastest. Each thread loops over loopSlots.
struct ChainFetch {
  uint32_t vector = 1; ///< entries per access
  std::vector<ChainSlot> threadSlots, loopSlots;
};

struct ChainPhase {
  uint32_t firstStep = 0, stepCount = 0;
  std::vector<uint32_t> registerParts; ///< in a thread's tile during some step, in any order
  std::vector<uint32_t> threadParts;   ///< threadIdx.x is a number over these, first fastest
  /// Strides of the image that the phase reads, by part of the plan. 0 if the part is outer, or not
  /// in the message when the phase begins.
  std::vector<uint64_t> stridesElems;
  uint64_t allocatedElems = 0; ///< size of that image, with padding
  /// True: the entries of all factors of the phase are loaded before its barrier. False: each step
  /// loads those of its own factors when it begins.
  bool factorsFirst = true;
};

/// floorUs of the header is the time to move message, factors and result once at the copy limit.
struct ChainPlan : KernelHeader {
  static constexpr std::string_view family = "chain";

  ChainForm form;
  std::vector<ChainPart> parts;
  std::vector<uint32_t> outerParts; ///< the page number in mixed radix: last part fastest
  /// A block computes this many pages, gridBlocks apart. So blocks that run at the same time work
  /// on neighbouring pages and find the lines that these share in L2.
  uint64_t pagesPerBlock = 1;
  ChainFetch fetch;
  std::vector<ChainPhase> phases;
  /// Promise: every request to shared memory takes one wavefront per phase (bank_conflicts.h).
  bool conflictFree = false;
};

inline PlanKind kindOf(const ChainPlan &plan) { return {plan.launch.blockThreads}; }

} // namespace mpf
