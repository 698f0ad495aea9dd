// Places in a text as the Language Server Protocol counts them (version 3.17, "Position"): lines
// and characters from 0.
#pragma once

#include "dsl/source/source_buffer.h"

#include <cstdint>
#include <string_view>
#include <vector>

namespace mpf::lsp {

/// The unit of Position::character, which client and server agree on.
enum class PositionUnit { Utf8, Utf16, Utf32 };

struct Position {
  uint32_t line = 0;
  uint32_t character = 0;
};

struct PositionRange {
  Position start, end;
};

/// Converts places of one text. Lines end with \n, \r\n or \r. Ascending offsets take linear time
/// in all. Not thread-safe. The text must outlive the object.
class TextPositions {
public:
  TextPositions(std::string_view text, PositionUnit unit);

  /// Follows a change of the text: `text` is the new one, in which `length` bytes stand in place of
  /// those of `before`. Time: linear in `length` and in the number of lines.
  void follow(std::string_view text, SourceRange before, uint32_t length);

  /// Returns the offset in bytes. A place behind the end of a line is that end; a line behind the
  /// last one is the end of the text.
  uint32_t offsetOf(Position position) const;
  Position positionOf(uint32_t offset) const;
  PositionRange rangeOf(SourceRange range) const;

private:
  uint32_t unitsOf(std::string_view character) const;
  uint32_t endOfLine(size_t line) const;

  std::string_view text_;
  PositionUnit unit_;
  std::vector<uint32_t> lineStarts_;
  mutable uint32_t lastOffset_ = 0; ///< of the last answer
  mutable Position last_;
};

} // namespace mpf::lsp
