// Rows of bytes -> columns of bytes: turns around what loops over a column would pick one by one.
#pragma once

#include <cstddef>

namespace mpf {

/// Rows of a piece that are turned at once; pieces of so many, or a multiple, are the fastest.
inline constexpr size_t kTurnedRows = 16;
/// Bytes behind the last row that may be read, though they say nothing.
inline constexpr size_t kTurnedPaddingBytes = 16;

/// Byte c of row r, from[r * rowBytes + c], goes to to[c * pitch + r], for `rows` rows and
/// `columns` columns. `pitch` is at least `rows`.
void turnByteRows(const char *from, size_t rowBytes, size_t rows, size_t columns, char *to,
                  size_t pitch);

} // namespace mpf
