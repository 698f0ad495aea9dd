// Divides an operation among the threads of the table-driven kernels. Their launches and their
// predicted times share this rule.
#pragma once

#include <cstdint>

namespace mpf {

/// Threads of a block, as in the kernels' launch bounds.
inline constexpr uint32_t kTableDrivenThreads = 256;

/// Warps of a block. In a launch of a level, as many small operations share a block.
inline constexpr uint32_t kLevelWarps = kTableDrivenThreads / 32;

/// The records of steps, tables and terms of layouts that a block of mpf_traceback keeps in shared
/// memory: MPF_TRACE_STEPS, MPF_TRACE_PARTS and MPF_TRACE_TERMS of the text.
inline constexpr int kStagedTraceSteps = 64, kStagedTraceParts = 256, kStagedTraceTerms = 1024;

/// Blocks that a multiprocessor holds at once, by their launch bounds; a device may hold fewer.
inline constexpr uint64_t kLevelResidentBlocks = 2;

/// The addresses (results times their terms) that a block of a level should have, two for each
/// thread, while all blocks are resident; more blocks than these do not shorten a level.
inline constexpr uint64_t kLevelLeastAddresses = uint64_t{2} * kTableDrivenThreads;

/// The addresses that a block should have, eight for each thread, before blocks wait for others to
/// end. The start of a block, with its record and the states of its operands, costs as much time.
inline constexpr uint64_t kLevelBlockAddresses = uint64_t{8} * kTableDrivenThreads;

/// The greatest table, in entries, that the level that wrote it brings back to linear form. Larger
/// tables take a separate launch, in which all multiprocessors take part.
inline constexpr uint64_t kLevelNormalisedElems = 1 << 14;

/// Returns the number of threads that share an output, if a team of `threads` reduces `outputs`
/// outputs of `terms` terms each. A power of two, at most a block. Each thread keeps four terms,
/// which it loads together.
inline uint32_t levelLanes(uint64_t outputs, uint64_t terms, uint64_t threads) {
  uint32_t lanes = 1;
  while (lanes < threads && lanes < kTableDrivenThreads && outputs <= threads / (2 * lanes) &&
         terms / (2 * lanes) >= 4)
    lanes *= 2;
  return lanes;
}

} // namespace mpf
