// Operations on small tables while planning: restricting, projecting, multiplying. Row-major over
// a scope, last variable fastest. Time is linear in the entries of the bigger table.
#pragma once

#include "codegen/simplify/algebra.h"

#include <cstdint>
#include <optional>
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
std::vector<double> gather(const std::vector<double> &values, const Extents &extents,
                           const std::vector<std::vector<uint32_t>> &states);

/// Entries whose state on `axis` is in the same group reduced to one; the axis then has `groups`
/// places. Nothing if an entry left the range of doubles.
std::optional<std::vector<double>> reduceGroups(const std::vector<double> &values,
                                                const Extents &extents, size_t axis,
                                                const std::vector<uint32_t> &groupOf,
                                                uint32_t groups, const Algebra &algebra);

/// Big table combined with a smaller one: axisOf[i] is the big table's axis of the small one's axis
/// i. Nothing if an entry left the range of doubles.
std::optional<std::vector<double>> combineInto(const std::vector<double> &big,
                                               const Extents &extents,
                                               const std::vector<double> &small,
                                               const std::vector<size_t> &axisOf,
                                               const Algebra &algebra);

} // namespace mpf
