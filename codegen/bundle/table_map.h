// Where the entries of a table stand in another one: inputs are stored restricted and permuted,
// results are asked for in an order of their own.
#pragma once

#include "codegen/bundle/bundle.h"

#include <cstdint>
#include <vector>

namespace mpf {

struct MapDigit {
  uint64_t extent = 1; ///< at least 2
  uint64_t strideElems = 0;
};

/// Entry i of the one, whose address has these digits, is entry baseElems + (digits times strides)
/// of the other.
struct TableMap {
  uint64_t baseElems = 0;
  std::vector<MapDigit> digits; ///< most significant first
};

/// From the entries of an input, as stored, to the values of its factor, as given. `evidence`: with
/// a state for each variable that the bundle observes. Not of raw inputs.
TableMap mapOfInput(const Bundle &bundle, const BundleInput &input, const Evidence &evidence);

/// How many values the input's factor has, as given.
uint64_t valueCount(const Bundle &bundle, const BundleInput &input);

/// From the entries of an output, as asked for, to those of its buffer, as stored.
TableMap mapOfOutput(const Bundle &bundle, const BundleOutput &output);

} // namespace mpf
