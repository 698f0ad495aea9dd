// The addresses of a lane operation, computed before it runs. The entry of a table for the k-th
// entry of the result and its r-th term is at kept[k] + reduced[r].
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

/// Computes the addresses. They take laneAddressCount numbers.
LaneAddresses laneAddresses(const LaneOperation &operation);

/// Returns the sum of keptCount + reducedCount over the slots; saturates. Call it before
/// laneAddresses, which may need more memory than there is.
uint64_t laneAddressCount(const LaneOperation &operation);

/// Returns `base` plus each offset of `places`, the last place fastest.
std::vector<uint64_t> placeOffsets(std::span<const StridedPlace> places, uint64_t base);

/// Returns `base` plus each offset by which `digits` move an access, the last digit fastest.
std::vector<uint64_t> laneOffsets(const LaneOperation &operation, const LaneAccess &access,
                                  std::span<const size_t> digits, uint64_t base);

/// Returns the addresses of an output's entries, in the order of its variables, last one fastest.
std::vector<uint64_t> outputAddresses(const LaneOutput &output);

} // namespace mpf
