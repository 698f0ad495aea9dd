// What every parser method works on: the current token, expectations, errors, bounds, recovery.
//
// Errors are in panic mode: fail() reports and throws Panic, which the nearest place that knows
// how to go on catches (a declaration, an element of an array). Panic never leaves parseFile().
#pragma once

#include "dsl/syntax/ast_expr.h"
#include "dsl/syntax/lexer.h"

#include <fmt/format.h>
#include <optional>

namespace mpf {

/// Thrown after the error has been reported.
struct Panic {};

/// Bounds on what one file may hold; the messages name them.
inline constexpr uint32_t kMaxNesting = 200;               ///< brackets, for, unary operators
inline constexpr uint64_t kMaxNodes = 20'000'000;          ///< names, expressions, declarations
inline constexpr uint64_t kMaxLiteralValues = 268'435'456; ///< numbers in arrays: 2 GiB

class TokenStream {
public:
  TokenStream(std::shared_ptr<const SourceBuffer> source, Diagnostics &diagnostics);

  const Token &current() const { return current_; }
  bool at(TokenKind kind) const { return current_.kind == kind; }
  /// True at the unquoted name `word` (words that are reserved in some places only).
  bool atWord(std::string_view word) const;
  /// The token after the current one.
  const Token &ahead();
  Token take();
  bool accept(TokenKind kind);
  /// Takes a token of `kind` or fails with "expected `what`, found ...".
  Token expect(TokenKind kind, std::string_view what);
  /// Takes a name; at a reserved word the message says how to quote it.
  ast::Name expectName(std::string_view what);
  ast::Name expectString(std::string_view what);

  /// True when the current token stands on a later line than the one before it.
  bool onNextLine() const;

  /// From `begin` to the end of the last token taken.
  SourceRange since(uint32_t begin) const { return {begin, std::max(begin, lastEnd_)}; }
  uint32_t here() const { return current_.range.begin; }
  std::string_view spelling(const Token &token) const { return lexer_.spelling(token); }
  std::string_view spelling(SourceRange range) const {
    return lexer_.text().substr(range.begin, range.end - range.begin);
  }

  /// For the array reader, which reads characters: the text, and going on behind what it read.
  /// resume() makes the token at or after `offset` the current one; `lastEnd` is where the last
  /// thing before it ended.
  std::string_view text() const { return lexer_.text(); }
  void resume(uint32_t offset, uint32_t lastEnd);

  /// Reports; an error at the place of another one, also of the lexer, follows from that and is
  /// dropped.
  void error(SourceRange range, std::string message, std::string hint = {});
  [[noreturn]] void fail(SourceRange range, std::string message, std::string hint = {});
  /// "expected `what`, found 'x'"; at the end of the line when the next token is on another one.
  [[noreturn]] void failExpected(std::string_view what, std::string hint = {});
  /// "'x'", "end of file", "number 3": the current token for a message.
  std::string found() const;
  Diagnostics &diagnostics() { return diagnostics_; }

  /// Skips to a token that can start a declaration, to the '}' of the block `braceDepth` deep, or
  /// to the end. Always moves at least past `from`.
  void synchronize(uint32_t braceDepth, uint32_t from);
  /// Braces open at the current token.
  uint32_t braceDepth() const { return braceDepth_; }

  /// Counts one more node, or `values` array numbers; fails past the bound.
  void countNode();
  void countValues(uint64_t values);

private:
  friend class Nesting;
  bool startsDeclaration() const;

  Lexer lexer_;
  Diagnostics &diagnostics_;
  Token current_;
  std::optional<Token> ahead_;
  uint32_t lastEnd_ = 0;
  bool lastBad_ = false; ///< Token::bad of the last token taken
  uint32_t braceDepth_ = 0;
  uint32_t nesting_ = 0;
  uint64_t nodes_ = 0;
  uint64_t values_ = 0;
  std::optional<uint32_t> lastErrorAt_;
};

/// One level of nesting for the life of the object; fails past kMaxNesting.
class Nesting {
public:
  explicit Nesting(TokenStream &stream);
  ~Nesting() { --stream_.nesting_; }
  Nesting(const Nesting &) = delete;
  Nesting &operator=(const Nesting &) = delete;

private:
  TokenStream &stream_;
};

} // namespace mpf
