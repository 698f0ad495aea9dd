// Lists of indices: the variables of an array that `x[i]`, `x[0..3]`, `z[..][t]` name.
#pragma once

#include "dsl/model/resolve/build_context.h"

#include <cstdint>
#include <optional>
#include <span>
#include <vector>

namespace mpf {

/// The indices of one axis, and their number. A range takes no memory.
struct IndexList {
  int64_t first = 0;            ///< a range: its first index
  uint64_t count = 0;           ///< their number
  std::vector<int64_t> numbers; ///< not empty: they are these, and no range

  int64_t at(uint64_t place) const {
    return numbers.empty() ? first + static_cast<int64_t>(place) : numbers[place];
  }
};

/// Returns the indices that an item means for an axis of `length`; nothing after reporting an index
/// outside of the axis. A range whose end is not behind its start has none. `name` and `dims` are
/// the array's, for messages.
std::optional<IndexList> foldIndices(BuildContext &context, const ast::IndexItem &item,
                                     uint64_t length, const std::string &name,
                                     std::span<const uint64_t> dims);

/// Returns "3 x 4" for the lengths of an array.
std::string dimsText(std::span<const uint64_t> dims);

} // namespace mpf
