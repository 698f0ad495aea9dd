// A piece of a list of cases: bytes as they were read, and the cases that they hold.
#pragma once

#include "dsl/source/source_buffer.h"
#include "dsl/support/cases/case_block.h"

#include <cstdint>
#include <memory>
#include <string>
#include <vector>

namespace mpf {

/// A row that could not be understood.
struct BadRow {
  uint64_t line = 0;   ///< counted from the first line of the chunk, from 0
  std::string text;    ///< the line; empty: the list is no text
  SourceRange range{}; ///< in `text`
  std::string message;
  std::string hint = {}; ///< may be empty
};

/// Bytes with room behind them, kept from use to use.
class ChunkBytes {
public:
  /// Bytes behind the end that may be read, though they say nothing.
  static constexpr size_t kPaddingBytes = 128;

  char *data() { return bytes_.get(); }
  const char *data() const { return bytes_.get(); }
  size_t capacity() const { return capacity_; }
  /// Room for `size` bytes, of which the first `kept` stay.
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
  // What was fetched.
  ChunkBytes bytes;
  size_t size = 0;        ///< how much of `bytes` is used: whole rows
  uint64_t firstRow = 0;  ///< the number of the first row, in lists that are no text
  uint64_t firstByte = 0; ///< where `bytes` begin in the list, which is a text
  bool isPaused = false;  ///< behind it, the list had no more rows at hand
  bool isTooLong = false; ///< the bytes are the start of one row that is longer than is allowed

  // What was parsed.
  CaseBlock block;
  uint64_t lines = 0; ///< lines of the chunk, in lists that are text
  /// The first of those that the block skips, BadRows::kMostMessages of them; with OnBadRow::Stop
  /// at most one, behind the block.
  std::vector<BadRow> bad;
};

} // namespace mpf
