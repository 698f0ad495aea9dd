// Finds the states of a variable that a table cannot distinguish.
#pragma once

#include "codegen/simplify/state/table_ops.h"

#include <cstdint>
#include <vector>

namespace mpf {

/// A partition of the states 0..n-1 into classes, which are numbered by first appearance.
struct StateClasses {
  std::vector<uint32_t> classOf; ///< by state
  uint32_t count = 0;
};

/// Returns one class of all states.
StateClasses oneClass(uint32_t states);

/// Whether the slices of an axis of two states, `inner` entries apart, are equal. Stops at the
/// first difference.
bool equalHalves(const EntryTable &values, uint64_t inner);

/// Returns the partition in which states of `axis` with equal slices are in one class. Takes time
/// linear in the table's entries, and sorts the states.
StateClasses equalSlices(const EntryTable &values, const Extents &extents, size_t axis);

/// Returns the partition in which states are in one class if they are so in both `a` and `b`, which
/// must have the same states.
StateClasses meet(const StateClasses &a, const StateClasses &b);

} // namespace mpf
