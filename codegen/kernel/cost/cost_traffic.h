// Bytes a plan moves: what the cost model's "dram" and "l2" terms are made of.
#pragma once

#include "codegen/kernel/form/target.h"
#include "codegen/kernel/plan/nest_plan.h"

namespace mpf {

/// What L2 moves at least.
inline constexpr double kSectorBytes = 32;
/// What a sector that a store fills only in part costs device memory beyond its bytes: two of them
/// are put together in L2 (measured: runs of 432 to 2064 bytes, RESULTS.md).
inline constexpr double kPartialBytes = 120;
/// A table that takes no more than this share of L2 is read from device memory once.
inline constexpr double kResidentShare = 0.5;

/// Bytes of one operand or of the result.
struct Traffic {
  double dramBytes = 0; ///< from device memory: at least the table, re-reads that L2 cannot serve
  double l2Bytes = 0;   ///< through L2: all fetches, in whole 32-byte sectors
};

Traffic operandTraffic(const NestPlan &plan, const Segment &segment, const Target &target);
Traffic resultTraffic(const NestPlan &plan, const Target &target);

/// Sectors that stores fill only in part, over the whole launch: each end of a run that a warp
/// stores at once where it falls inside a sector.
double partialSectors(const NestPlan &plan, const Target &target);

/// Elements that lie one after another in the table of `operand` (or the result) within what a
/// block touches in one page, at most `limit`.
uint64_t contiguousRun(const NestPlan &plan, size_t operand, uint64_t limit);

/// Pages in which the segment's contents change, per block.
double fetchesPerBlock(const NestPlan &plan, const Segment &segment);

/// Bytes that must move whatever the kernel: every table once.
double compulsoryBytes(const DigitForm &form, ElementType type);

} // namespace mpf
