// PACKED TABLES: inputs whose entries are all the semiring's zero or one, which a GPU stores as one
// bit per entry. This file has their layout in memory, and all reasons why a table cannot be
// packed. Planner, bundle verifier and kernel builder apply these rules to their data.
#pragma once

#include "dsl/support/semiring.h"

#include <cstdint>
#include <string_view>

namespace mpf {

/// Entry e is bit e % 32 of the 32-bit word e / 32.
inline constexpr uint32_t kPackedWordElems = 32;
inline constexpr uint64_t kPackedWordBytes = 4;
static_assert(kPackedWordElems == 8 * kPackedWordBytes);

constexpr uint64_t packedWords(uint64_t sizeElems) {
  return (sizeElems + kPackedWordElems - 1) / kPackedWordElems;
}

/// Returns the bytes that an entry takes on a GPU.
constexpr double storedElemBytes(ElementType type, bool packed) {
  return packed ? static_cast<double>(kPackedWordBytes) / kPackedWordElems : elementBytes(type);
}

/// Reasons, as the end of "the table is packed, but ..".
namespace packing_fault {
inline constexpr std::string_view kNoInput = "is no input";
inline constexpr std::string_view kInsideWord = "has slices that begin inside a word";
inline constexpr std::string_view kInChain = "is read by a chain";
inline constexpr std::string_view kInMatrixProduct = "is read by a matrix product";
inline constexpr std::string_view kAccumulated = "is accumulated over a loop";
inline constexpr std::string_view kResult = "is a result";
inline constexpr std::string_view kInTraceback = "is read by the traceback";
} // namespace packing_fault

/// Returns why operations of this semiring, in whole numbers or not, cannot read packed tables.
/// Empty if they can, because a table can store the semiring's zero.
std::string_view packingFaultOf(Semiring semiring, bool isInteger = false);

/// Returns the fault of slices that are `stepElems` entries apart; empty if each slice begins with
/// a word.
constexpr std::string_view packingFaultOfSlices(uint64_t stepElems) {
  return stepElems % kPackedWordElems != 0 ? packing_fault::kInsideWord : std::string_view();
}

} // namespace mpf
