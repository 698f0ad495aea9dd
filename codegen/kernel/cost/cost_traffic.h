// Counts the bytes that a nest plan moves, for the terms "dram" and "l2" of the cost model
// (cost_model.h).
#pragma once

#include "codegen/kernel/form/target.h"
#include "codegen/kernel/plan/nest_plan.h"

namespace mpf {

/// The smallest unit that L2 moves, in bytes.
inline constexpr double kSectorBytes = 32;
/// The cost in device memory, in bytes beyond those stored, of a sector that one store fills only
/// in part, so that L2 must merge two stores. Measured on runs of 432 to 2064 bytes
/// (tools/mpf-bench/results/2026-11-22-random-buckets-trains.md).
inline constexpr double kPartialBytes = 120;
/// A table of at most this share of L2 stays there: it is read from device memory once.
inline constexpr double kResidentShare = 0.5;

/// The bytes that a whole launch moves for one operand or for the result.
struct Traffic {
  double dramBytes = 0; ///< device memory: the table once, and re-reads that L2 cannot serve
  double l2Bytes = 0;   ///< L2: all fetches, in whole 32-byte sectors
};

/// Returns the bytes that all blocks read of the operand of `segment`, a segment of the plan. At
/// least one block must be resident on a multiprocessor (launch.minBlocksPerSm), else
/// Error(Internal).
Traffic operandTraffic(const NestPlan &plan, const Segment &segment, const Target &target);
/// Returns the bytes that all blocks write of the result, with the cost of sectors and lines that
/// are filled in parts.
Traffic resultTraffic(const NestPlan &plan, const Target &target);

/// How many sectors the stores of a whole launch fill only in part: the ends, inside a sector, of
/// the runs that a warp stores at once. Estimated from the first warps of a block.
double partialSectors(const NestPlan &plan, const Target &target);

/// Length, in elements, of the contiguous runs that a block touches in one page in the table of
/// `operand` (operands.size() = the result); at most `limit`.
uint64_t contiguousRun(const NestPlan &plan, size_t operand, uint64_t limit);

/// How often a block fetches the segment: its number of pages over the segment's lifetime.
double fetchesPerBlock(const NestPlan &plan, const Segment &segment);

} // namespace mpf
