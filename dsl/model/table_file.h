// A table as a file of its own holds it; dsl/formats reads it, the builder puts it under a scope.
#pragma once

#include <cstdint>
#include <vector>

namespace mpf {

/// Entries in row-major order, last index fastest. Never NaN; infinities are possible, because
/// tables of logarithms need them. A text's shape is {rows, columns}, or {n} for one row, one
/// column, and (blank-separated only) rows of different lengths.
struct TableFile {
  std::vector<uint64_t> shape;
  std::vector<double> values;
};

} // namespace mpf
