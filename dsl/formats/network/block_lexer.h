// The tokens of texts in blocks of braces, as BIF, Hugin's NET and GeNIe's DSL are: words (names,
// numbers, quoted names) and marks. Blanks and comments are skipped; a comment may follow a word
// without a blank: `2// herds`. In a quoted name `\"` is a quote, and where quotes span lines `\\`
// is a backslash. A dialect has the marks and comments of a format.
#pragma once

#include "dsl/source/diagnostic.h"
#include "dsl/support/text/byte_set.h"

#include <deque>
#include <memory>
#include <optional>
#include <string>
#include <string_view>

namespace mpf {

/// A dialect is a constant: lexers keep a reference.
struct BlockDialect {
  std::string_view marks;
  std::string_view lineComment;      ///< "//" or "%"; it ends with its line
  bool hasBlockComments = false;     ///< `/* ... */`
  bool quotesSpanLines = false;      ///< else a quoted name ends on its line
  ByteSet endsWord{" \t\n\v\f\r\""}; ///< with the marks

  constexpr BlockDialect(std::string_view theMarks, std::string_view theLineComment,
                         bool blockComments, bool longQuotes)
      : marks(theMarks), lineComment(theLineComment), hasBlockComments(blockComments),
        quotesSpanLines(longQuotes) {
    endsWord.add(marks);
  }
};

struct BlockToken {
  enum Kind { Word, Mark, End };
  Kind kind = End;
  std::string_view text; ///< without quotes; lives as long as the buffer and the lexer
  bool quoted = false;
  SourceRange range;

  bool isMark(char mark) const { return kind == Mark && text.front() == mark; }
  bool isWord(std::string_view word) const { return kind == Word && !quoted && text == word; }
};

/// Returns the start of the first token at or behind `at`, after blanks and comments. Sets
/// `openComment` to the start of a comment that has no end.
size_t skipBlockBlanks(const BlockDialect &dialect, std::string_view text, size_t at,
                       std::optional<size_t> &openComment);
/// Whether the text starts with `word`, which ends there.
bool startsWithWord(const BlockDialect &dialect, std::string_view text, std::string_view word);

/// Whether the text, behind blanks and comments, starts with `word NAME {`.
bool startsNamedBlock(const BlockDialect &dialect, std::string_view text, std::string_view word);

/// A lexer with one token of look-ahead. Not thread-safe; the sink must outlive the lexer. Reports
/// quotes and comments without an end, each once even if seek() goes back before it.
class BlockLexer {
public:
  BlockLexer(const BlockDialect &dialect, std::shared_ptr<const SourceBuffer> buffer,
             Diagnostics &diagnostics);

  const BlockToken &peek() const { return next_; }
  BlockToken take();
  /// Goes back to a token that was taken before.
  void seek(const BlockToken &token);
  /// Skips to behind the next `;` outside of quotes. Skipped words may contain `//`, as addresses
  /// do: a comment must follow a blank or a mark there. Returns false if the text has no such `;`.
  bool skipStatement();
  /// Whether both tokens are on one line of the text.
  bool onOneLine(const BlockToken &first, const BlockToken &second) const;

  /// Bytes from the next token to the end.
  uint64_t bytesLeft() const { return text_.size() - next_.range.begin; }

  SourcePlace placeOf(const BlockToken &token) const { return {buffer_, token.range}; }
  /// The token for a message: "'x'", "the end of the file".
  static std::string shown(const BlockToken &token);

private:
  void skipBlanks();
  void scan();
  void scanQuoted(size_t begin);
  bool endsWordAt(size_t at) const;
  void reportOnce(size_t begin, size_t end, const char *message);

  const BlockDialect &dialect_;
  std::shared_ptr<const SourceBuffer> buffer_;
  Diagnostics &diagnostics_;
  std::string_view text_;
  size_t at_ = 0;                     ///< end of next_
  size_t reported_ = 0;               ///< errors before this offset were reported
  bool wordsHoldComments_ = false;    ///< true in skipStatement
  std::deque<std::string> unescaped_; ///< quoted names that hold quotes
  BlockToken next_;
};

} // namespace mpf
