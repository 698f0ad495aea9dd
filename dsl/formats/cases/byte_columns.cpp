#include "dsl/formats/cases/byte_columns.h"

#include <algorithm>
#ifdef __SSE2__
#include <emmintrin.h>
#endif

namespace mpf {

namespace {

void turnOneByOne(const char *from, size_t rowBytes, size_t rows, size_t columns, char *to,
                  size_t pitch) {
  for (size_t c = 0; c < columns; ++c)
    for (size_t r = 0; r < rows; ++r)
      to[c * pitch + r] = from[r * rowBytes + c];
}

#ifdef __SSE2__
/// Transposes 16 rows of 16 bytes. Each step interleaves the rows of the first half with those of
/// the second. It moves one bit from the row number of each byte to its position in the row, so
/// that four steps exchange rows and columns.
void turnSquare(const char *from, size_t rowBytes, size_t columns, char *to, size_t pitch) {
  __m128i rows[16], next[16];
  for (size_t r = 0; r < 16; ++r)
    rows[r] = _mm_loadu_si128(reinterpret_cast<const __m128i *>(from + r * rowBytes));
  const auto interleave = [](const __m128i *a, __m128i *b) {
    for (size_t r = 0; r < 8; ++r) {
      b[2 * r] = _mm_unpacklo_epi8(a[r], a[r + 8]);
      b[2 * r + 1] = _mm_unpackhi_epi8(a[r], a[r + 8]);
    }
  };
  interleave(rows, next);
  interleave(next, rows);
  interleave(rows, next);
  interleave(next, rows);
  for (size_t c = 0; c < columns; ++c)
    _mm_storeu_si128(reinterpret_cast<__m128i *>(to + c * pitch), rows[c]);
}
#endif

} // namespace

void turnByteRows(const char *from, size_t rowBytes, size_t rows, size_t columns, char *to,
                  size_t pitch) {
  size_t turned = 0;
#ifdef __SSE2__
  for (; turned + kTurnedRows <= rows; turned += kTurnedRows)
    for (size_t c = 0; c < columns; c += 16)
      turnSquare(from + turned * rowBytes + c, rowBytes, std::min<size_t>(columns - c, 16),
                 to + c * pitch + turned, pitch);
#endif
  turnOneByOne(from + turned * rowBytes, rowBytes, rows - turned, columns, to + turned, pitch);
}

} // namespace mpf
