// Text -> tokens, on demand. Knows nothing of the grammar.
//
// Characters that belong to no token are reported once per run of them and skipped, so a stray '@'
// costs one message and the rest of the line is still read.
#pragma once

#include "dsl/source/diagnostic.h"
#include "dsl/syntax/token.h"

#include <memory>

namespace mpf {

enum class CommentMode { Skip, Keep };

/// Not thread-safe. The sink must outlive the lexer; the buffer is shared.
class Lexer {
public:
  Lexer(std::shared_ptr<const SourceBuffer> source, Diagnostics &diagnostics,
        CommentMode comments = CommentMode::Skip);

  /// The next token; EndOfFile for ever after the last.
  Token next();
  /// While quiet, nothing is reported: text that is skipped after an error.
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

/// Reads one unsigned decimal number ("12", "0.5", ".5", "3e-4") at the start of `text`. Gives its
/// length in bytes, 0 when there is none. `value` is the nearest double: infinity when too large,
/// 0 when too small (`inRange` false for both).
size_t readNumber(std::string_view text, double &value, bool &inRange);

} // namespace mpf
