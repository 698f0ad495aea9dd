// The stream of tokens that all parser classes work on: the current token, expectations, errors,
// bounds, recovery.
//
// On an error fail() reports and throws Panic. The loop over declarations, or that over elements of
// an array, catches it and goes on with the next one. Panic never leaves parseFile().
#pragma once

#include "dsl/syntax/ast_expr.h"
#include "dsl/syntax/lexer.h"

#include <fmt/format.h>
#include <optional>

namespace mpf {

/// Thrown after the error has been reported.
struct Panic {};

/// Limits of one file; messages name the limit that is exceeded.
inline constexpr uint32_t kMaxNesting = 200;               ///< brackets, for, unary operators
inline constexpr uint64_t kMaxNodes = 20'000'000;          ///< names, expressions, declarations
inline constexpr uint64_t kMaxLiteralValues = 268'435'456; ///< numbers in arrays: 2 GiB

class TokenStream {
public:
  /// Messages call the text a `whole`: "found the end of the file".
  TokenStream(std::shared_ptr<const SourceBuffer> source, Diagnostics &diagnostics,
              std::string_view whole = "file");

  const Token &current() const { return current_; }
  bool at(TokenKind kind) const { return current_.kind == kind; }
  /// Whether the current token is the unquoted name `word`, which is reserved in some places only.
  bool atWord(std::string_view word) const;
  /// Returns the token after the current one.
  const Token &ahead();
  Token take();
  bool accept(TokenKind kind);
  /// Takes a token of `kind`; otherwise fails with "expected WHAT, found ...", and the hint.
  Token expect(TokenKind kind, std::string_view what, std::string_view hint = {});
  /// Takes a name, otherwise fails. For a reserved word the message explains how to quote it.
  ast::Name expectName(std::string_view what);
  ast::Name expectString(std::string_view what);

  /// Whether the current token is on a later line than the one before it.
  bool onNextLine() const;

  /// Returns the range from `begin` to the end of the last token taken.
  SourceRange since(uint32_t begin) const { return {begin, std::max(begin, lastEnd_)}; }
  uint32_t here() const { return current_.range.begin; }
  std::string_view spelling(const Token &token) const { return lexer_.spelling(token); }
  std::string_view spelling(SourceRange range) const {
    return lexer_.text().substr(range.begin, range.end - range.begin);
  }

  /// Lets the array reader read characters of text(): resume() makes the token at or after `offset`
  /// the current one. `lastEnd` is the end of the text that was read before it.
  std::string_view text() const { return lexer_.text(); }
  void resume(uint32_t offset, uint32_t lastEnd);

  /// Reports an error. It is dropped if the parser or the lexer has just reported one at the same
  /// place, because it follows from that one.
  void error(SourceRange range, std::string message, std::string hint = {});
  [[noreturn]] void fail(SourceRange range, std::string message, std::string hint = {});
  /// Fails with "expected WHAT, found 'x'". When the current token is on a later line, the error is
  /// at the end of the line before.
  [[noreturn]] void failExpected(std::string_view what, std::string hint = {});
  /// Returns the current token for a message: "'x'", "the end of the file", "the number 3".
  std::string found() const;
  Diagnostics &diagnostics() { return diagnostics_; }

  /// Skips to a token that can start a declaration, to the '}' of the block at depth `braceDepth`,
  /// or to the end. Unless the text ends, the token begins after offset `from`.
  void synchronize(uint32_t braceDepth, uint32_t from);
  /// Returns the number of braces that are open at the current token.
  uint32_t braceDepth() const { return braceDepth_; }

  /// Count one more node, or `values` more numbers of arrays; fail beyond the limit.
  void countNode();
  void countValues(uint64_t values);

private:
  friend class Nesting;

  Lexer lexer_;
  Diagnostics &diagnostics_;
  std::string_view whole_;
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

/// Counts one level of nesting while it lives. The constructor fails beyond kMaxNesting.
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
