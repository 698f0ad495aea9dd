#include "dsl/syntax/token_stream.h"

#include "dsl/source/suggest.h"
#include "dsl/syntax/spelling.h"

namespace mpf {

TokenStream::TokenStream(std::shared_ptr<const SourceBuffer> source, Diagnostics &diagnostics,
                         std::string_view whole)
    : lexer_(std::move(source), diagnostics), diagnostics_(diagnostics), whole_(whole) {
  current_ = lexer_.next();
}

bool TokenStream::atWord(std::string_view word) const {
  return at(TokenKind::Identifier) && !current_.quoted && spelling(current_) == word;
}

const Token &TokenStream::ahead() {
  if (!ahead_)
    ahead_ = lexer_.next();
  return *ahead_;
}

Token TokenStream::take() {
  const Token taken = current_;
  lastEnd_ = taken.range.end;
  lastBad_ = taken.bad;
  if (taken.kind == TokenKind::LeftBrace)
    ++braceDepth_;
  else if (taken.kind == TokenKind::RightBrace && braceDepth_ > 0)
    --braceDepth_;
  current_ = ahead_ ? *ahead_ : lexer_.next();
  ahead_.reset();
  return taken;
}

bool TokenStream::accept(TokenKind kind) {
  if (!at(kind))
    return false;
  take();
  return true;
}

Token TokenStream::expect(TokenKind kind, std::string_view what, std::string_view hint) {
  if (!at(kind))
    failExpected(what, std::string(hint));
  return take();
}

ast::Name TokenStream::expectName(std::string_view what) {
  if (at(TokenKind::Identifier)) {
    countNode();
    const Token token = take();
    return {unspell(spelling(token)), token.range};
  }
  const std::string_view word = spelling(current_);
  if (!reservedWord(word) || onNextLine())
    failExpected(what);
  fail(current_.range, fmt::format("expected {}, found the reserved word '{}'", what, word),
       fmt::format("write `{}` in backquotes to use it as a name", word));
}

ast::Name TokenStream::expectString(std::string_view what) {
  const Token token = expect(TokenKind::String, what);
  return {unspell(spelling(token)), token.range};
}

void TokenStream::resume(uint32_t offset, uint32_t lastEnd) {
  lexer_.seek(offset);
  lastEnd_ = lastEnd;
  lastBad_ = false;
  ahead_.reset();
  current_ = lexer_.next();
  // The lexer saw only the text after `offset`; the line may start earlier.
  size_t at = current_.range.begin;
  while (at > 0 && (text()[at - 1] == ' ' || text()[at - 1] == '\t'))
    --at;
  current_.lineStart = at == 0 || text()[at - 1] == '\n';
}

void TokenStream::error(SourceRange range, std::string message, std::string hint) {
  const bool here = range.begin == current_.range.begin || range.begin == lastEnd_;
  const bool follows = lastErrorAt_ == range.begin || (here && current_.bad) ||
                       (lastBad_ && range.begin == lastEnd_);
  lastErrorAt_ = range.begin;
  if (follows)
    return;
  diagnostics_.report({Severity::Error, lexer_.place(range), std::move(message), std::move(hint)});
}

void TokenStream::fail(SourceRange range, std::string message, std::string hint) {
  error(range, std::move(message), std::move(hint));
  throw Panic{};
}

bool TokenStream::onNextLine() const {
  const std::string_view between =
      text().substr(lastEnd_, std::max(lastEnd_, current_.range.begin) - lastEnd_);
  return between.find('\n') != std::string_view::npos;
}

std::string TokenStream::found() const {
  switch (current_.kind) {
  case TokenKind::EndOfFile:
    return fmt::format("the end of the {}", whole_);
  case TokenKind::String:
    return fmt::format("the string {}", excerpt(spelling(current_)));
  case TokenKind::Number:
    return fmt::format("the number {}", excerpt(spelling(current_)));
  default:
    return fmt::format("'{}'", excerpt(spelling(current_)));
  }
}

void TokenStream::failExpected(std::string_view what, std::string hint) {
  // A token on the next line is not the mistake: the place of the error is the end of this line.
  if (lastEnd_ != 0 && (onNextLine() || at(TokenKind::EndOfFile)))
    fail({lastEnd_, lastEnd_},
         fmt::format("expected {}, found the end of the {}", what,
                     at(TokenKind::EndOfFile) ? whole_ : "line"),
         std::move(hint));
  fail(current_.range, fmt::format("expected {}, found {}", what, found()), std::move(hint));
}

namespace {

/// Whether the current token can start a declaration after an error at `errorAt`.
bool startsDeclaration(const TokenStream &stream, std::optional<uint32_t> errorAt) {
  const Token &token = stream.current();
  // A reserved word in the middle of a line may be the mistake itself.
  if (isDeclarationWord(token.kind))
    return token.lineStart || errorAt != stream.here();
  // A line that starts with a misspelt `factor` is a separate declaration.
  if (!token.lineStart || token.kind != TokenKind::Identifier || token.quoted)
    return false;
  Suggestion suggestion(stream.spelling(token));
  suggestion.offerAll(declarationWords());
  return !suggestion.best().empty();
}

} // namespace

void TokenStream::synchronize(uint32_t braceDepth, uint32_t from) {
  lexer_.setQuiet(true);
  while (!at(TokenKind::EndOfFile)) {
    if (here() > from && startsDeclaration(*this, lastErrorAt_))
      break;
    if (here() > from && at(TokenKind::RightBrace) && braceDepth_ <= braceDepth && braceDepth > 0)
      break;
    take();
  }
  lexer_.setQuiet(false);
  braceDepth_ = braceDepth;
}

void TokenStream::countNode() {
  if (++nodes_ > kMaxNodes)
    fail(current_.range, fmt::format("this file has more than {} names and expressions, the limit "
                                     "of one file",
                                     kMaxNodes));
}

void TokenStream::countValues(uint64_t values) {
  values_ += values;
  if (values_ > kMaxLiteralValues)
    fail(current_.range,
         fmt::format("this file has more than {} numbers in arrays, the limit of one file",
                     kMaxLiteralValues),
         "put large tables into a file and use file(\"table.npy\")");
}

Nesting::Nesting(TokenStream &stream) : stream_(stream) {
  if (stream.nesting_ == kMaxNesting)
    stream.fail(stream.current().range, fmt::format("nested deeper than {} levels", kMaxNesting));
  ++stream.nesting_;
}

} // namespace mpf
