// Which states of a variable a table cannot tell apart.
#pragma once

#include "codegen/simplify/state/table_ops.h"

#include <cstdint>
#include <vector>

namespace mpf {

/// A partition of the states 0..n-1: the class of each, classes numbered by first appearance.
struct StateClasses {
  std::vector<uint32_t> classOf;
  uint32_t count = 0;
};

/// One class for all / one for each.
StateClasses oneClass(uint32_t states);

/// For an axis of two states: are their slices equal? Stops at the first difference.
bool equalHalves(const EntryTable &values, const Extents &extents, size_t axis);

/// States of `axis` with equal slices share a class. Linear in the table's entries,
/// but for sorting the states.
StateClasses equalSlices(const EntryTable &values, const Extents &extents, size_t axis);

/// States share a class if they do in both.
StateClasses meet(const StateClasses &a, const StateClasses &b);

} // namespace mpf
