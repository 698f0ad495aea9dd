// The array literal of a factor in .mpf source: nested rows, wrapped so that people can read them.
#pragma once

#include <cstdint>
#include <span>
#include <string>

namespace mpf {

/// Appends `values` (row-major over `extents`, last fastest) as `[[0.1, 0.9], [0.6, 0.4]]`: one row
/// per line once it gets long, flat when there are more than kMaxNesting axes, a bare number when
/// there are none. `values.size()` is the product of `extents`.
void printMpfTable(std::string &out, std::span<const double> values,
                   std::span<const uint32_t> extents);

/// Where lines of printed source are wrapped.
inline constexpr size_t kColumns = 100;

/// More brackets than this hide the numbers rather than order them.
inline constexpr size_t kMaxNesting = 8;

} // namespace mpf
