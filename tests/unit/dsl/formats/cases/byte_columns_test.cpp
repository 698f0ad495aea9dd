#include "dsl/formats/cases/byte_columns.h"

#include <gtest/gtest.h>

#include <vector>

namespace mpf {
namespace {

/// Transposes neighbouring columns of wider rows. Bytes behind a column must stay unchanged.
TEST(ByteColumns, EveryByteComesToItsPlace) {
  constexpr char kUntouched = 77;
  for (const size_t columns : {1u, 3u, 15u, 16u, 17u, 37u})
    for (const size_t rows : {0u, 1u, 15u, 16u, 17u, 32u, 101u})
      for (const size_t others : {0u, 5u}) {
        const size_t rowBytes = columns + others, pitch = rows + 3;
        std::vector<char> from(rows * rowBytes + kTurnedPaddingBytes),
            to(columns * pitch, kUntouched);
        for (size_t i = 0; i < from.size(); ++i)
          from[i] = static_cast<char>(i * i % 251);
        turnByteRows(from.data(), rowBytes, rows, columns, to.data(), pitch);
        for (size_t c = 0; c < columns; ++c)
          for (size_t r = 0; r < pitch; ++r)
            ASSERT_EQ(to[c * pitch + r], r < rows ? from[r * rowBytes + c] : kUntouched)
                << columns << " columns, " << rows << " rows: " << c << ", " << r;
      }
}

} // namespace
} // namespace mpf
