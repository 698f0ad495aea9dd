// Moving the entries of small tables while planning: strides, walks, restrictions. Row-major over a
// scope, last variable fastest. Time is linear in the entries of the bigger table.
#pragma once

#include "codegen/simplify/state/entry_table.h"

#include <cstdint>
#include <vector>

namespace mpf {

using Extents = std::vector<uint32_t>;

/// Steps through all places of a table while keeping the offset in another table: `strides` holds
/// that table's stride of every axis, 0 where it has none.
class Odometer {
public:
  Odometer(const Extents &extents, std::vector<uint64_t> strides);
  uint64_t offset() const { return offset_; }
  const Extents &digits() const { return digits_; }
  bool next();

private:
  const Extents &extents_;
  std::vector<uint64_t> strides_;
  Extents digits_;
  uint64_t offset_ = 0;
};

/// Row-major strides.
std::vector<uint64_t> stridesOf(const Extents &extents);

/// The entries at the given old states of every axis: axis a of the result has states[a].size()
/// places.
EntryTable gather(const EntryTable &table, const Extents &extents,
                  const std::vector<std::vector<uint32_t>> &states);

} // namespace mpf
