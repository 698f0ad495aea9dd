// Rows of bytes in memory, for tests of code that takes such rows from files.
#pragma once

#include "dsl/support/cases/byte_rows.h"
#include "dsl/support/cases/case_block.h"

#include <algorithm>
#include <utility>
#include <vector>

namespace mpf::test {

class RowsInMemory final : public ByteRows {
public:
  RowsInMemory(std::vector<RowByte> bytes, std::vector<std::byte> rows)
      : ByteRows(std::move(bytes)), rows_(std::move(rows)) {}

  /// Returns the rows of a block's cases. The columns are in reverse order, and 255 means "not
  /// observed". In columns of even numbers all bytes from `evenNone` on mean that. Values below 255
  /// keep rows of several columns from being packed (runtime/execute/lanes/sent/sent_rows.h).
  static RowsInMemory of(const CaseSchema &schema, const CaseBlock &block,
                         uint32_t evenNone = 255) {
    const size_t columns = schema.observed.size();
    std::vector<RowByte> bytes(columns);
    std::vector<std::byte> rows(columns * block.count);
    for (size_t c = 0; c < columns; ++c) {
      const uint32_t place = static_cast<uint32_t>(columns - 1 - c),
                     extent = schema.observed[c].extent;
      bytes[c] = {place, extent, c % 2 == 0 ? evenNone : 255};
      for (uint32_t i = 0; i < block.count; ++i)
        rows[i * columns + place] = std::byte(block.code(c, i) == extent ? 255 : block.code(c, i));
    }
    return RowsInMemory(std::move(bytes), std::move(rows));
  }

  bool fetch(uint64_t first, uint32_t count, std::byte *to) const override {
    if ((first + count) * rowBytes() > rows_.size())
      return false;
    std::copy_n(rows_.data() + first * rowBytes(), count * rowBytes(), to);
    return true;
  }
  std::byte &at(uint64_t row, size_t place) { return rows_[row * rowBytes() + place]; }

private:
  std::vector<std::byte> rows_;
};

} // namespace mpf::test
