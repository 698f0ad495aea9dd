// A table read from a separate file (dsl/formats/tables). The builder of the model checks its shape
// against a scope.
#pragma once

#include "dsl/support/wide_table.h"

#include <cstdint>
#include <vector>

namespace mpf {

/// Entries in row-major order, the last index fastest. They are never NaN, but may be infinite:
/// tables of logarithms need that. The shape of a text is {rows, columns}. It is {n} if there is
/// one row or one column, or if the rows of a blank-separated text have different lengths.
struct TableFile {
  std::vector<uint64_t> shape;
  std::vector<double> values;
  std::vector<FarValue> far; ///< entries that no double holds; `values` has other numbers there
};

} // namespace mpf
