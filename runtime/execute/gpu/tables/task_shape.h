// How a task of the level kernel takes an operation apart: offset rows and lanes.
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
  GpuDivisor divisor; ///< by `lows`
  int32_t lowDigits = 0;
  uint32_t firstHigh = 0, highs = 0;
  uint64_t rows() const { return uint64_t{lows} + highs; }
};

/// How the addresses of a range are taken apart, so that the fewest rows are needed.
GpuAddressParts fewestRows(std::span<const GpuDigit> digits, const AddressRange &range);

/// Whether addresses can be divided by mpfDivide, and offsets are numbers of 32 bits.
bool fitsWords(const GpuOperation &operation, const std::vector<GpuDigit> &digits);

/// Whether the results stand in the order of their addresses.
bool standsInOrder(const GpuOperation &operation, std::span<const GpuDigit> digits);

/// How many lanes should share an output so that a warp reads whole lines: half of the terms that
/// stand side by side, two for each lane. 1 where the cache holds what lanes read alone.
uint64_t lanesForLines(const GpuOperation &operation, const std::vector<GpuDigit> &digits,
                       double entryBytes);

} // namespace mpf
