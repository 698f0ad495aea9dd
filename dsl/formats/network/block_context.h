// The state that the parts of a reader of blocks share: the tokens and the network so far.
#pragma once

#include "dsl/formats/network/block_lexer.h"
#include "dsl/formats/network/network_builder.h"

#include <optional>

namespace mpf {

/// The functions return false or nothing when they report an error.
struct BlockContext {
  BlockContext(const BlockDialect &dialect, const std::shared_ptr<const SourceBuffer> &buffer,
               Diagnostics &diagnostics)
      : network(buffer, diagnostics), lexer(dialect, buffer, diagnostics) {}

  NetworkBuilder network; ///< made first: it counts the errors of the lexer too
  BlockLexer lexer;

  template <class... Args>
  bool error(const BlockToken &at, fmt::format_string<Args...> format, Args &&...args) {
    return network.error(at.range, format, std::forward<Args>(args)...);
  }
  /// Reports "expected WHAT, found 'x'"; always false.
  bool expected(const char *what, const BlockToken &found) {
    return error(found, "expected {}, found {}", what, BlockLexer::shown(found));
  }
  /// Takes the next token if it is `mark`; otherwise reports an error.
  bool takeMark(char mark, const char *what) {
    if (!lexer.peek().isMark(mark))
      return expected(what, lexer.peek());
    lexer.take();
    return true;
  }
  /// Takes the next token if it is `mark`; otherwise returns false without reporting.
  bool acceptMark(char mark) {
    if (!lexer.peek().isMark(mark))
      return false;
    lexer.take();
    return true;
  }
  /// Takes a name or number; otherwise reports an error.
  std::optional<PlacedText> takeWord(const char *what) {
    if (lexer.peek().kind != BlockToken::Word || lexer.peek().text.empty()) {
      expected(what, lexer.peek());
      return std::nullopt;
    }
    return placed(lexer.take());
  }
  static PlacedText placed(const BlockToken &token) { return {token.text, token.range}; }
};

} // namespace mpf
