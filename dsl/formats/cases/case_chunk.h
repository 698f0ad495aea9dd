// A piece of a list of cases: the bytes that were read, and the cases parsed from them.
#pragma once

#include "dsl/source/source_buffer.h"
#include "dsl/support/cases/case_block.h"

#include <cstdint>
#include <memory>
#include <string>
#include <vector>

namespace mpf {

/// A row that is no valid case.
struct BadRow {
  uint64_t line = 0;   ///< number of the line in the chunk, from 0
  std::string text;    ///< text of the line; empty: the list is no text
  SourceRange range{}; ///< in `text`
  std::string message;
  std::string hint = {}; ///< may be empty
};

/// A reusable buffer of bytes with padding behind them.
class ChunkBytes {
public:
  /// Bytes behind the end that may be read; their values do not matter.
  static constexpr size_t kPaddingBytes = 128;

  char *data() { return bytes_.get(); }
  const char *data() const { return bytes_.get(); }
  size_t capacity() const { return capacity_; }
  /// Makes room for `size` bytes and preserves the first `kept` bytes.
  void reserve(size_t size, size_t kept) {
    if (size <= capacity_)
      return;
    auto larger = std::make_unique<char[]>(size + kPaddingBytes);
    std::copy_n(bytes_.get(), kept, larger.get());
    bytes_ = std::move(larger);
    capacity_ = size;
  }

private:
  std::unique_ptr<char[]> bytes_;
  size_t capacity_ = 0;
};

struct CaseChunk {
  // Set by ChunkReader::fetch:
  ChunkBytes bytes;
  size_t size = 0;        ///< number of bytes used in `bytes`: whole rows
  uint64_t firstRow = 0;  ///< the number of the first row, in lists that are no text
  uint64_t firstByte = 0; ///< offset of `bytes` in the list, if that is a text
  bool isPaused = false;  ///< no more rows were available behind this chunk
  bool isTooLong = false; ///< the bytes are the start of one row that exceeds the limit

  // Set by ChunkReader::parse:
  CaseBlock block;
  uint64_t lines = 0; ///< lines of the chunk, in lists that are text
  /// The first BadRows::kMostMessages rows that the block skips. OnBadRow::Stop: at most one row,
  /// which follows the block.
  std::vector<BadRow> bad;
};

} // namespace mpf
