// What the parts of the .bif reader share.
#pragma once

#include "dsl/formats/bif_lexer.h"
#include "dsl/model/model.h"
#include "dsl/model/model_limits.h"
#include "dsl/model/resolve/table_pool.h"

#include <optional>
#include <string>
#include <unordered_map>
#include <vector>

namespace mpf {

/// Every function that says it reports gives false (or nothing) when it did.
struct BifContext {
  BifContext(std::shared_ptr<const SourceBuffer> buffer, Diagnostics &sink)
      : diagnostics(sink), lexer(std::move(buffer), sink) {}

  Diagnostics &diagnostics;
  BifLexer lexer;
  Model model;
  ModelLimits limits;
  TablePool pool;

  std::unordered_map<std::string, VarId> variables;                   ///< looked up, never walked
  std::vector<BifToken> variableNames;                                ///< by VarId
  std::vector<std::unordered_map<std::string_view, uint32_t>> states; ///< by VarId: label -> state
  bool incomplete = false; ///< a variable block was wrong: unknown names may be its

  template <class... Args>
  bool error(const BifToken &at, fmt::format_string<Args...> format, Args &&...args) {
    diagnostics.error(lexer.placeOf(at), format, std::forward<Args>(args)...);
    return false;
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
  std::optional<BifToken> takeWord(const char *what) {
    if (lexer.peek().kind != BifToken::Word || lexer.peek().text.empty()) {
      expected(what, lexer.peek());
      return std::nullopt;
    }
    return lexer.take();
  }
  /// `property ... ;` in any block; reports a property without an end.
  bool skipProperty();
};

} // namespace mpf
