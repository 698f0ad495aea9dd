// The tokens of a .bif text: words (names, numbers, quoted names) and the marks `{}()[],;|`. Blanks
// and comments are skipped; a comment may follow a word without a blank: `2// herds`. In a quoted
// name `\"` is a quote.
#pragma once

#include "dsl/source/diagnostic.h"

#include <deque>
#include <memory>
#include <string>
#include <string_view>

namespace mpf {

struct BifToken {
  enum Kind { Word, Mark, End };
  Kind kind = End;
  std::string_view text; ///< without quotes; lives as long as the buffer and the lexer
  bool quoted = false;
  SourceRange range;

  bool isMark(char mark) const { return kind == Mark && text.front() == mark; }
  bool isWord(std::string_view word) const { return kind == Word && !quoted && text == word; }
};

/// Whether the first word of the text, after blanks and comments, is `network`, `variable` or
/// `probability`, with which .bif files start. Also true if a comment at the start has no end, so
/// that the reader reports it.
bool startsAsBif(std::string_view text);

/// A lexer with one token of look-ahead. Not thread-safe; the sink must outlive the lexer. Reports
/// quotes and comments without an end, each once even if seek() goes back before it.
class BifLexer {
public:
  BifLexer(std::shared_ptr<const SourceBuffer> buffer, Diagnostics &diagnostics);

  const BifToken &peek() const { return next_; }
  BifToken take();
  /// Goes back to a token that was taken before.
  void seek(const BifToken &token);
  /// Skips to behind the next `;` outside of quotes. Skipped words may contain `//`, as addresses
  /// do: a comment must follow a blank or a mark there. Returns false if the text has no such `;`.
  bool skipStatement();
  /// Whether both tokens are on one line of the text.
  bool onOneLine(const BifToken &first, const BifToken &second) const;

  /// Bytes from the next token to the end.
  uint64_t bytesLeft() const { return text_.size() - next_.range.begin; }

  SourcePlace placeOf(const BifToken &token) const { return {buffer_, token.range}; }
  /// The token for a message: "'x'", "the end of the file".
  static std::string shown(const BifToken &token);

private:
  void skipBlanks();
  void scan();
  void scanQuoted(size_t begin);
  bool endsWordAt(size_t at) const;
  void reportOnce(size_t begin, size_t end, const char *message);

  std::shared_ptr<const SourceBuffer> buffer_;
  Diagnostics &diagnostics_;
  std::string_view text_;
  size_t at_ = 0;                     ///< end of next_
  size_t reported_ = 0;               ///< errors before this offset were reported
  bool wordsHoldComments_ = false;    ///< true in skipStatement
  std::deque<std::string> unescaped_; ///< quoted names that hold quotes
  BifToken next_;
};

} // namespace mpf
