// Divides an operation of few results among the blocks of a level. Launches and the choice of
// kernels share this rule.
#pragma once

#include "codegen/bundle/table_driven_shape.h"

#include <algorithm>
#include <cmath>
#include <cstdint>

namespace mpf {

/// Whether blocks share the terms of an operation, each with all results; else they share the
/// results.
inline bool sharesTerms(uint64_t results, uint64_t blocks) { return results <= blocks / 4; }

/// Returns the number of blocks that share the terms, at most `blocks`. The last block to end adds
/// up the sums of all blocks; these are no more than a thread has terms. `addresses` is the number
/// of results times terms.
inline uint64_t termParts(double addresses, uint64_t blocks) {
  const auto balanced = static_cast<uint64_t>(std::sqrt(addresses / kTableDrivenThreads));
  return std::clamp<uint64_t>(balanced, 1, blocks);
}

} // namespace mpf
