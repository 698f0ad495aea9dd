// The words of a .bif text: names, numbers and quoted names, single marks `{}()[],;|`, no comments.
#pragma once

#include "dsl/source/diagnostic.h"

#include <memory>
#include <string>
#include <string_view>

namespace mpf {

struct BifToken {
  enum Kind { Word, Mark, End };
  Kind kind = End;
  std::string_view text; ///< without quotes; of the buffer
  bool quoted = false;
  SourceRange range;

  bool isMark(char mark) const { return kind == Mark && text.front() == mark; }
  bool isWord(std::string_view word) const { return kind == Word && !quoted && text == word; }
};

/// The first word of the text, behind blanks and comments, is the one that .bif files start with.
bool startsAsBif(std::string_view text);

/// One token ahead. Not thread-safe; the sink must outlive it. Reports quotes and comments that do
/// not end, each once however often it is passed.
class BifLexer {
public:
  BifLexer(std::shared_ptr<const SourceBuffer> buffer, Diagnostics &diagnostics);

  const BifToken &peek() const { return next_; }
  BifToken take();
  /// Goes on at a token that was seen before.
  void seek(const BifToken &token);

  /// From the next token to the end.
  uint64_t bytesLeft() const { return text_.size() - next_.range.begin; }

  SourcePlace placeOf(const BifToken &token) const { return {buffer_, token.range}; }
  /// The token as messages show it: "'x'", "the end of the file".
  static std::string shown(const BifToken &token);

private:
  void skipBlanks();
  void scan();
  void reportOnce(size_t begin, size_t end, const char *message);

  std::shared_ptr<const SourceBuffer> buffer_;
  Diagnostics &diagnostics_;
  std::string_view text_;
  size_t at_ = 0;       ///< behind next_
  size_t reported_ = 0; ///< faults before this offset are known
  BifToken next_;
};

} // namespace mpf
