// A table as read from a file of its own (dsl/formats/tables); the model builder checks its shape
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
  std::vector<FarValue> far; ///< those that no double holds, of which `values` has another number
};

} // namespace mpf
