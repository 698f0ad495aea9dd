// What the parts of the .bif reader share.
#pragma once

#include "dsl/formats/bif_lexer.h"
#include "dsl/formats/network_builder.h"

#include <optional>

namespace mpf {

/// Every function that says it reports gives false (or nothing) when it did.
struct BifContext {
  BifContext(const std::shared_ptr<const SourceBuffer> &buffer, Diagnostics &diagnostics)
      : lexer(buffer, diagnostics), network(buffer, diagnostics) {}

  BifLexer lexer;
  NetworkBuilder network;

  template <class... Args>
  bool error(const BifToken &at, fmt::format_string<Args...> format, Args &&...args) {
    return network.error(at.range, format, std::forward<Args>(args)...);
  }
  /// "expected WHAT, found 'x'"
  bool expected(const char *what, const BifToken &found) {
    return error(found, "expected {}, found {}", what, BifLexer::shown(found));
  }
  bool takeMark(char mark, const char *what) {
    if (!lexer.peek().isMark(mark))
      return expected(what, lexer.peek());
    lexer.take();
    return true;
  }
  bool acceptMark(char mark) {
    if (!lexer.peek().isMark(mark))
      return false;
    lexer.take();
    return true;
  }
  /// A name or number; reports.
  std::optional<PlacedText> takeWord(const char *what) {
    if (lexer.peek().kind != BifToken::Word || lexer.peek().text.empty()) {
      expected(what, lexer.peek());
      return std::nullopt;
    }
    return placed(lexer.take());
  }
  static PlacedText placed(const BifToken &token) { return {token.text, token.range}; }
  /// `property ... ;` in any block; reports a property without an end.
  bool skipProperty();
};

} // namespace mpf
