// The addresses of a lane operation, worked out before it runs: an entry of a table is at
// kept[k] + reduced[r], for the k-th entry of the result and its r-th term.
#pragma once

#include "codegen/bundle/lanes/lane_program.h"

#include <cstdint>
#include <span>
#include <vector>

namespace mpf {

struct SlotAddresses {
  std::vector<uint64_t> kept;    ///< by entry of the result; contains the base of the access
  std::vector<uint64_t> reduced; ///< by term
};

struct LaneAddresses {
  size_t keptCount = 1, reducedCount = 1;
  std::vector<SlotAddresses> slots; ///< operands, then the result
};

/// Memory: laneAddressCount numbers.
LaneAddresses laneAddresses(const LaneOperation &operation);

/// keptCount + reducedCount for each slot; saturates. To be asked before laneAddresses, which may
/// need more memory than there is.
uint64_t laneAddressCount(const LaneOperation &operation);

/// `base` plus all offsets that some places give, the last one fastest.
std::vector<uint64_t> placeOffsets(std::span<const StridedPlace> places, uint64_t base);

/// `base` plus all offsets that some digits of an operation give an access, the last one fastest.
std::vector<uint64_t> laneOffsets(const LaneOperation &operation, const LaneAccess &access,
                                  std::span<const size_t> digits, uint64_t base);

/// Entries of an output's table, in the order of its variables, last one fastest.
std::vector<uint64_t> outputAddresses(const LaneOutput &output);

} // namespace mpf
