// The tokens of a .bif text: words (names, numbers, quoted names) and the marks `{}()[],;|`. Blanks
// and comments are skipped.
#pragma once

#include "dsl/source/diagnostic.h"

#include <memory>
#include <string>
#include <string_view>

namespace mpf {

struct BifToken {
  enum Kind { Word, Mark, End };
  Kind kind = End;
  std::string_view text; ///< without quotes; points into the buffer
  bool quoted = false;
  SourceRange range;

  bool isMark(char mark) const { return kind == Mark && text.front() == mark; }
  bool isWord(std::string_view word) const { return kind == Word && !quoted && text == word; }
};

/// Whether the first word of the text, after blanks and comments, is `network`, with which .bif
/// files start. Also true if a comment at the start has no end, so that the reader reports it.
bool startsAsBif(std::string_view text);

/// Looks one token ahead. Not thread-safe; the sink must outlive the lexer. Reports quotes and
/// comments without an end, each once even if seek() goes back before it.
class BifLexer {
public:
  BifLexer(std::shared_ptr<const SourceBuffer> buffer, Diagnostics &diagnostics);

  const BifToken &peek() const { return next_; }
  BifToken take();
  /// Goes back to a token that was taken before.
  void seek(const BifToken &token);

  /// Bytes from the next token to the end.
  uint64_t bytesLeft() const { return text_.size() - next_.range.begin; }

  SourcePlace placeOf(const BifToken &token) const { return {buffer_, token.range}; }
  /// The token for a message: "'x'", "the end of the file".
  static std::string shown(const BifToken &token);

private:
  void skipBlanks();
  void scan();
  void reportOnce(size_t begin, size_t end, const char *message);

  std::shared_ptr<const SourceBuffer> buffer_;
  Diagnostics &diagnostics_;
  std::string_view text_;
  size_t at_ = 0;       ///< where next_ ends
  size_t reported_ = 0; ///< errors before this offset were reported
  BifToken next_;
};

} // namespace mpf
