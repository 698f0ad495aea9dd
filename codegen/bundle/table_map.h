// Maps the entries of one table to those of another. Inputs are stored restricted and permuted;
// results are asked for in another order than they are stored.
#pragma once

#include "codegen/bundle/bundle.h"

#include <cstdint>
#include <vector>

namespace mpf {

struct MapDigit {
  uint64_t extent = 1; ///< at least 2
  uint64_t strideElems = 0;
};

/// Maps entry i of one table to entry baseElems + (digits times strides) of another; `digits` are
/// the digits of i.
struct TableMap {
  uint64_t baseElems = 0;
  std::vector<MapDigit> digits; ///< most significant first
};

/// Maps the entries of an input, as stored, to the values of its factor, as given. `evidence` has a
/// state for each variable that the bundle observes. The input must not be raw.
TableMap mapOfInput(const Bundle &bundle, const BundleInput &input, const Evidence &evidence);

/// How many values the input's factor has, as given.
uint64_t valueCount(const Bundle &bundle, const BundleInput &input);

/// Maps the entries of an output, as asked for, to those of its buffer, as stored.
TableMap mapOfOutput(const Bundle &bundle, const BundleOutput &output);

} // namespace mpf
