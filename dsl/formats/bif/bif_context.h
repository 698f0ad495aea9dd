// The state that the parts of the .bif reader share: the tokens and the network so far.
#pragma once

#include "dsl/formats/bif/bif_lexer.h"
#include "dsl/formats/network/network_builder.h"

#include <deque>
#include <optional>
#include <string>
#include <vector>

namespace mpf {

/// The functions return false or nothing when they report an error.
struct BifContext {
  BifContext(const std::shared_ptr<const SourceBuffer> &buffer, Diagnostics &diagnostics)
      : lexer(buffer, diagnostics), network(buffer, diagnostics) {}

  BifLexer lexer;
  NetworkBuilder network;

  template <class... Args>
  bool error(const BifToken &at, fmt::format_string<Args...> format, Args &&...args) {
    return network.error(at.range, format, std::forward<Args>(args)...);
  }
  /// Reports "expected WHAT, found 'x'"; always false.
  bool expected(const char *what, const BifToken &found) {
    return error(found, "expected {}, found {}", what, BifLexer::shown(found));
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
    if (lexer.peek().kind != BifToken::Word || lexer.peek().text.empty()) {
      expected(what, lexer.peek());
      return std::nullopt;
    }
    return placed(lexer.take());
  }
  /// Takes the names of a list, up to a mark other than `,`, and sets `names`. Each word is a name
  /// if there are `count` words. Otherwise all words between two commas form one name, as in
  /// `very low, high`. If neither gives `count` names, `names` has the words. The names live as
  /// long as the context.
  void takeNames(uint64_t count, std::vector<PlacedText> &names);
  static PlacedText placed(const BifToken &token) { return {token.text, token.range}; }
  /// Skips `property ... ;`, which may be in any block; reports a property without an end.
  bool skipProperty();

private:
  void joinGroups(std::vector<PlacedText> &names);

  std::vector<BifToken> words_;   ///< words of the list that takeNames reads
  std::vector<size_t> groupEnds_; ///< for each comma: the number of words before it
  std::deque<std::string> joined_;
};

} // namespace mpf
