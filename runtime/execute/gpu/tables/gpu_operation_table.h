// The operation tables of the table-driven kernels (codegen/emit/preamble/mpf_table_driven.cuh):
// host mirrors of its structs, filled from a bundle. The papers call them policy tables.
#pragma once

#include "codegen/bundle/bundle.h"
#include "runtime/execute/gpu/tables/device_buffers.h"
#include "runtime/execute/gpu/tables/gpu_divisor.h"

#include <array>
#include <cstdint>
#include <vector>

namespace mpf {

inline constexpr size_t kTableOperands = 8;
inline constexpr size_t kTableResult = 8; ///< index of the result in the arrays below

/// Mirrors MpfDigit. At least two values; large extents are split into several digits.
struct GpuDigit {
  uint64_t extent = 1;
  GpuDivisor divisor; ///< divides by the extent; none above kMostDivided
  std::array<uint64_t, 9> strideElems{};
  uint64_t spare = 0;
};
static_assert(sizeof(GpuDigit) == 96);

/// Mirrors MpfOperation; addresses are device addresses.
struct GpuOperation {
  uint64_t keptAddresses = 1;
  uint64_t reducedAddresses = 1;
  std::array<uint64_t, 9> table{};
  std::array<uint64_t, 9> signs{}; ///< device addresses of the sign bytes, 0: none
  std::array<int32_t, 9> state{};
  int32_t operandCount = 0;
  int32_t keptDigits = 0;
  int32_t reducedDigits = 0;
  int32_t reduce = 0;
  int32_t combine = 0;
  int32_t termsLog2 = 0;
  int32_t packed = 0; ///< bit i: operand i is packed
};
static_assert(sizeof(GpuOperation) == 224);

struct GpuOperationTable {
  std::vector<GpuOperation> operations;      ///< one per bundle operation, same order
  std::vector<std::vector<GpuDigit>> digits; ///< by operation
  std::vector<char>
      isSpecialised; ///< by operation: it has a kernel, with the level kernel as fallback
  uint64_t entryBytes = 8;
};

/// Builds the table. `inputArena`, `workArena`: device addresses of the two arenas. State indices
/// are buffer ids.
GpuOperationTable buildGpuOperationTable(const Bundle &bundle, const DeviceBuffers &buffers,
                                         uint64_t inputArena, uint64_t workArena);

} // namespace mpf
