// A view of a table in host memory, of any type and form, for reading entry by entry.
#pragma once

#include "codegen/bundle/table_state.h"

#include <cmath>
#include <cstddef>
#include <cstdint>

namespace mpf {

/// value = entry * 2^scale (linear) or sign * 2^(entry + scale) (log). Plain max-sum tables are
/// linear with scale 0. The view refers to memory of an executor and is valid until its next run.
struct TableView {
  ElementType type = ElementType::F64;
  TableState state;
  uint64_t sizeElems = 0;
  const std::byte *entries = nullptr;
  const int8_t *signs = nullptr; ///< log form of signed tables; null: all positive

  /// Returns the stored entry; for whole numbers the nearest double.
  double entry(uint64_t i) const {
    switch (type) {
    case ElementType::F32:
      return static_cast<double>(reinterpret_cast<const float *>(entries)[i]);
    case ElementType::F64:
      return reinterpret_cast<const double *>(entries)[i];
    case ElementType::U64:
    case ElementType::U128:
      break;
    }
    return static_cast<double>(whole(i));
  }
  /// Returns the exact entry; whole types only.
  Uint128 whole(uint64_t i) const {
    return type == ElementType::U64 ? reinterpret_cast<const uint64_t *>(entries)[i]
                                    : reinterpret_cast<const Uint128 *>(entries)[i];
  }
  bool isLog() const { return state.form != 0; }
  /// Returns log2 |value| - scale; -infinity for 0.
  double log2Entry(uint64_t i) const { return isLog() ? entry(i) : std::log2(std::abs(entry(i))); }
  /// Returns -1 or +1; +1 for 0.
  int sign(uint64_t i) const {
    if (isLog())
      return signs == nullptr ? 1 : signs[i];
    return entry(i) < 0 ? -1 : 1;
  }
};

} // namespace mpf
