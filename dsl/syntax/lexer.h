// Turns text into tokens, on demand; the lexer does not know the grammar.
//
// A run of characters that belong to no token is reported once and skipped. A stray '@' gives one
// message, and the rest of the line is still read.
#pragma once

#include "dsl/source/diagnostic.h"
#include "dsl/syntax/token.h"

#include <memory>

namespace mpf {

enum class CommentMode { Skip, Keep };

/// Not thread-safe. The sink must outlive the lexer.
class Lexer {
public:
  Lexer(std::shared_ptr<const SourceBuffer> source, Diagnostics &diagnostics,
        CommentMode comments = CommentMode::Skip);

  /// Returns the next token; EndOfFile after the last.
  Token next();
  /// Makes the lexer report nothing while `quiet`; used for text that is skipped after an error.
  void setQuiet(bool quiet) { quiet_ = quiet; }
  /// Goes on reading at `offset`, which must not lie inside a token.
  void seek(uint32_t offset) { at_ = offset; }
  uint32_t offset() const { return at_; }

  std::string_view text() const { return text_; }
  std::string_view spelling(const Token &token) const;
  SourcePlace place(SourceRange range) const { return {source_, range}; }

private:
  char peek(size_t ahead = 0) const { return at_ + ahead < text_.size() ? text_[at_ + ahead] : 0; }
  bool skipBlanks(); ///< true when a line end was crossed or the text begins here
  Token name();
  Token number();
  Token quotedText(char quote);
  bool punctuation(Token &token);
  void badCharacters();
  void checkEscape(uint32_t begin);
  void error(SourceRange range, std::string message, std::string hint = {});

  std::shared_ptr<const SourceBuffer> source_;
  Diagnostics &diagnostics_;
  CommentMode comments_;
  std::string_view text_;
  uint32_t at_ = 0;
  bool quiet_ = false;
  bool bad_ = false; ///< an error was found since the last token
};

/// Reads one unsigned decimal number ("12", "0.5", ".5", "3e-4") at the start of `text`. Returns
/// its length in bytes; 0: there is none. Sets `value` to the nearest double. `inRange` is false if
/// that is infinite, subnormal, or 0 for a number other than 0.
size_t readNumber(std::string_view text, double &value, bool &inRange);

} // namespace mpf
