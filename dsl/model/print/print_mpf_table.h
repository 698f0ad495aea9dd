// The array literal of a factor in .mpf source: nested rows on lines of at most kColumns.
#pragma once

#include "dsl/support/scaled_number.h"

#include <cstdint>
#include <functional>
#include <span>
#include <string>

namespace mpf {

/// Appends `values` (row-major over `extents`, last fastest) as `[[0.1, 0.9], [0.6, 0.4]]`. An
/// array that does not fit a line has one row on each line. With more than kMaxNesting axes the
/// array is flat, without axes it is one number. `values.size()` is the product of `extents`.
void printMpfTable(std::string &out, std::span<const double> values,
                   std::span<const uint32_t> extents);

/// Returns the text of a number. One that no normal double holds is the product of a double and a
/// power of 2.
std::string mpfNumberText(const ScaledNumber &number);

/// Appends an array whose entry number i has the text `entryText(i)`.
void printMpfTable(std::string &out, const std::function<std::string(uint64_t)> &entryText,
                   std::span<const uint32_t> extents);

/// The column where lines of printed source are wrapped.
inline constexpr size_t kColumns = 100;

/// The most axes of an array that is printed with nested brackets.
inline constexpr size_t kMaxNesting = 8;

} // namespace mpf
