// Columns of numbers in a host program's memory, as codes of a block of cases.
#pragma once

#include "dsl/formats/cases/host/state_reader.h"
#include "dsl/formats/tables/npy_header.h"
#include "dsl/support/cases/case_block.h"

#include <cstddef>
#include <cstdint>

namespace mpf {

/// The cells of a block that one call sets: a column, and `count` cases from `at`. They must exist.
struct BlockCells {
  CaseBlock &block;
  size_t column = 0;
  uint32_t at = 0, count = 0;

  /// Returns f(the codes of these cells), as a pointer to integers of the block's width.
  template <class F> auto withCodes(F f) const {
    std::byte *const first = block.column(column) + size_t{at} * block.codeBytes();
    switch (block.codeBytes()) {
    case 1:
      return f(reinterpret_cast<uint8_t *>(first));
    case 2:
      return f(reinterpret_cast<uint16_t *>(first));
    default:
      return f(reinterpret_cast<uint32_t *>(first));
    }
  }
  /// Sets the i-th cell to codeOf(i), one after the other. Returns the first case for which that is
  /// kNoCode, or -1.
  template <class F> int64_t setCodes(F codeOf) const {
    return withCodes([&]<class Code>(Code *codes) -> int64_t {
      for (uint32_t i = 0; i < count; ++i) {
        const uint32_t code = codeOf(i);
        if (code == kNoCode)
          return int64_t{at} + i;
        codes[i] = static_cast<Code>(code);
      }
      return -1;
    });
  }
};

/// Numbers in memory at equal distances, in the machine's order of bytes.
struct NumberCells {
  const char *first = nullptr;
  int64_t strideBytes = 0;
  NpyType type;
};

/// Calls `f` with a value of the C++ type of such items; bools are int8_t. Returns false for types
/// other than bool, integers up to 64 bits, float and double.
template <class F> bool withItem(const NpyType &type, const F &f) {
  const auto call = [&f](auto item) { return f(item), true; };
  const bool isSigned = type.kind == NpyKind::Signed;
  if (type.kind == NpyKind::Bool)
    return call(int8_t{});
  if (type.kind == NpyKind::Float)
    return type.bytes == 8 ? call(double{}) : type.bytes == 4 && call(float{});
  if (!isSigned && type.kind != NpyKind::Unsigned)
    return false;
  switch (type.bytes) {
  case 1:
    return isSigned ? call(int8_t{}) : call(uint8_t{});
  case 2:
    return isSigned ? call(int16_t{}) : call(uint16_t{});
  case 4:
    return isSigned ? call(int32_t{}) : call(uint32_t{});
  case 8:
    return isSigned ? call(int64_t{}) : call(uint64_t{});
  default:
    return false;
  }
}

/// Sets the codes of numbers. Returns the first case whose number has no code, or -1. Throws
/// Error(Unsupported) for types other than bool, integers up to 64 bits, float and double. `to`
/// must be cells of the block, in a column of the reader's variable.
int64_t setNumbers(const StateReader &reader, const NumberCells &cells, const BlockCells &to);

} // namespace mpf
