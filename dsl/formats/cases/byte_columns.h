// Transposes rows of bytes into columns of bytes. Loops over a column would pick bytes one by one.
#pragma once

#include <cstddef>

namespace mpf {

/// The number of rows transposed at once. Multiples of it are the fastest.
inline constexpr size_t kTurnedRows = 16;
/// Bytes behind the last row that must be readable; their values do not matter.
inline constexpr size_t kTurnedPaddingBytes = 16;

/// Copies byte c of row r, from[r * rowBytes + c], to to[c * pitch + r], for `rows` rows and
/// `columns` columns. `pitch` is at least `rows`.
void turnByteRows(const char *from, size_t rowBytes, size_t rows, size_t columns, char *to,
                  size_t pitch);

} // namespace mpf
