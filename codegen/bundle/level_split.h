// How blocks of a level share an operation of few results: the rule that launches and the choice of
// kernels share.
#pragma once

#include "codegen/bundle/table_driven_shape.h"

#include <algorithm>
#include <cmath>
#include <cstdint>

namespace mpf {

/// Whether blocks share the terms of an operation, each with all results; else they share the
/// results.
inline bool sharesTerms(uint64_t results, uint64_t blocks) { return results <= blocks / 4; }

/// Among how many blocks, of at most `blocks`: the last one to end adds up the sums of all, no more
/// of them than a thread has terms. `addresses`: results times terms.
inline uint64_t termParts(double addresses, uint64_t blocks) {
  const auto balanced = static_cast<uint64_t>(std::sqrt(addresses / kTableDrivenThreads));
  return std::clamp<uint64_t>(balanced, 1, blocks);
}

} // namespace mpf
