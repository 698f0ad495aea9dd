// The words of a text, line by line, for formats in which the first word of a line says what the
// line holds.
#pragma once

#include "dsl/formats/network/network_builder.h"

namespace mpf {

/// A cursor over one text. Words are separated by blanks and are not copied. Not thread-safe.
class LineWords {
public:
  /// Starts in front of the first line, behind a byte order mark.
  explicit LineWords(std::shared_ptr<const SourceBuffer> buffer);

  /// Goes to the next line that has a word, whatever is left of this one. False: there is none.
  bool nextLine();
  /// Takes the next word of the line. At its end the text is empty, and the range is there.
  PlacedText next();
  /// Goes back to the first word of the line.
  void restartLine() { at_ = lineBegin_; }

  /// The place behind the last word of the whole text.
  SourceRange end() const;

private:
  SourceRange rangeOf(size_t begin, size_t end) const {
    return {static_cast<uint32_t>(begin), static_cast<uint32_t>(end)};
  }

  std::shared_ptr<const SourceBuffer> buffer_;
  std::string_view text_;
  size_t at_ = 0, lineBegin_ = 0, lineEnd_ = 0;
  size_t nextLine_ = 0; ///< start of the line behind this one
};

} // namespace mpf
