// Chooses how a task of the level kernel divides an operation: offset rows and lanes.
#pragma once

#include "runtime/execute/gpu/tables/gpu_operation_table.h"
#include "runtime/schedule/launches/launch_plan.h"

#include <cstdint>
#include <span>
#include <vector>

namespace mpf {

/// Mirrors MpfAddressParts (mpf_level_task.cuh).
struct GpuAddressParts {
  uint32_t lows = 0;
  GpuDivisor divisor; ///< divides by `lows`
  int32_t lowDigits = 0;
  uint32_t firstHigh = 0, highs = 0;
  uint64_t rows() const { return uint64_t{lows} + highs; }
};

/// Returns the division of a range's addresses that needs the fewest rows.
GpuAddressParts fewestRows(std::span<const GpuDigit> digits, const AddressRange &range);

/// True if mpfDivide can divide the addresses, and offsets fit 32 bits.
bool fitsWords(const GpuOperation &operation, const std::vector<GpuDigit> &digits);

/// True if the results are stored in the order of their addresses.
bool standsInOrder(const GpuOperation &operation, std::span<const GpuDigit> digits);

/// Returns the number of lanes that share an output, so that a warp reads whole lines: half of the
/// adjacent terms, two for each lane. It is 1 if the cache holds the lines that lanes read alone.
uint64_t lanesForLines(const GpuOperation &operation, const std::vector<GpuDigit> &digits,
                       double entryBytes);

} // namespace mpf
