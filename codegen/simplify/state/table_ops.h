// Goes through the entries of tables and restricts tables, without arithmetic. Tables are row-major
// over a scope, the last variable fastest. Time is linear in the entries that are visited.
#pragma once

#include "codegen/simplify/state/entry_table.h"

#include <cstdint>
#include <vector>

namespace mpf {

using Extents = std::vector<uint32_t>;

/// Goes through all assignments of a scope in row-major order, and tracks the offset of each in
/// another table. `strides` has the stride of every axis in that table, 0 for an axis that it
/// lacks.
class Odometer {
public:
  /// `extents` must outlive the odometer; none of them may be 0.
  Odometer(const Extents &extents, std::vector<uint64_t> strides);
  uint64_t offset() const { return offset_; }
  const Extents &digits() const { return digits_; } ///< the states of the present assignment
  /// Goes to the next assignment; false after the last one.
  bool next() {
    for (size_t a = extents_.size(); a-- > 0;) {
      offset_ += strides_[a];
      if (++digits_[a] < extents_[a])
        return true;
      offset_ -= strides_[a] * extents_[a];
      digits_[a] = 0;
    }
    return false;
  }

private:
  const Extents &extents_;
  std::vector<uint64_t> strides_;
  Extents digits_;
  uint64_t offset_ = 0;
};

/// Returns the strides of a row-major table of these extents.
std::vector<uint64_t> stridesOf(const Extents &extents);

/// Returns the table of the entries at the given states of every axis: state i of axis a of the
/// result is state states[a][i] of `table`.
EntryTable gather(const EntryTable &table, const Extents &extents,
                  const std::vector<std::vector<uint32_t>> &states);

} // namespace mpf
