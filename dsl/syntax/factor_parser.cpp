// Declarations that make factors: factor, prob, for.
#include "dsl/syntax/ast_names.h"
#include "dsl/syntax/decl_parser.h"
#include "dsl/syntax/expr_parser.h"
#include "dsl/syntax/value_parser.h"

#include <algorithm>

namespace mpf {

// factor = "factor" name "(" [ varRef { "," varRef } ] ")" "=" value
ast::FactorDecl DeclParser::factor() {
  ast::FactorDecl decl;
  decl.name = stream_.expectName("the factor's name");
  stream_.expect(TokenKind::LeftParen, "'(' and the factor's variables");
  if (!stream_.at(TokenKind::RightParen))
    decl.scope = ExprParser(stream_).varRefs("a variable");
  if (stream_.at(TokenKind::Bar))
    stream_.fail(stream_.current().range, "'|' in the scope of a factor",
                 "conditional tables are written prob P(child | parents)");
  stream_.expect(TokenKind::RightParen, "',' or ')' in the factor's scope");
  stream_.expect(TokenKind::Assign, "'=' and the factor's value");
  decl.value = ValueParser(stream_).value();
  decl.where = where();
  return decl;
}

// prob = "prob" "P" "(" varRef [ "|" varRef { "," varRef } ] ")" "=" ( noisy | value )
ast::ProbDecl DeclParser::prob() {
  ast::ProbDecl decl;
  const uint32_t begin = stream_.here();
  if (!stream_.atWord("P"))
    stream_.failExpected("P(child | parents) after 'prob'");
  stream_.take();
  stream_.expect(TokenKind::LeftParen, "'(' after P");
  decl.child = ExprParser(stream_).varRef("the child variable");
  if (stream_.at(TokenKind::Comma))
    stream_.fail(stream_.current().range, "prob has one variable before '|', here is a second",
                 "write one prob per variable: P(a | c) and P(b | a, c)");
  if (stream_.accept(TokenKind::Bar))
    decl.parents = ExprParser(stream_).varRefs("a parent variable");
  stream_.expect(
      TokenKind::RightParen,
      decl.parents.empty() ? "'|' or ')' after the child variable" : "',' or ')' after the parents",
      stream_.at(TokenKind::Assign) ? "a table has all states: prob P(rain) = { no: 0.8, yes: 0.2 }"
                                    : "");
  decl.head = stream_.since(begin);
  stream_.expect(TokenKind::Assign, "'=' and the table");
  decl.noisy = noisy();
  if (!decl.noisy) {
    decl.value = ValueParser(stream_).value();
    decl.where = where();
  }
  return decl;
}

// noisy = ( "noisyor" | "noisymax" | "noisymin" )
//         "(" [ "leak" "=" given "," ] given { "," given } ")"
std::optional<ast::NoisyValue> DeclParser::noisy() {
  ast::NoisyValue noisy;
  using Kind = ast::NoisyKind;
  constexpr Kind kKinds[] = {Kind::Or, Kind::Max, Kind::Min};
  const auto *const kind = std::ranges::find_if(
      kKinds, [this](Kind other) { return stream_.atWord(ast::noisyName(other)); });
  if (kind == std::end(kKinds) || stream_.ahead().kind != TokenKind::LeftParen)
    return std::nullopt;
  noisy.kind = *kind;
  const std::string_view word = ast::noisyName(noisy.kind);
  const uint32_t begin = stream_.take().range.begin;
  stream_.take();
  ValueParser values(stream_);
  if (stream_.atWord("leak") && stream_.ahead().kind == TokenKind::Assign) {
    stream_.take();
    stream_.take();
    noisy.leak.push_back(values.given("the leak"));
    stream_.expect(TokenKind::Comma, "',' and the causes after the leak");
  }
  do
    noisy.causes.push_back(values.given("a cause"));
  while (stream_.accept(TokenKind::Comma));
  stream_.expect(TokenKind::RightParen, fmt::format("',' or ')' in {}", word));
  noisy.range = stream_.since(begin);
  return noisy;
}

// for = "for" ranges ( ":" declaration | [ ":" ] block )
ast::ForDecl DeclParser::forLoop() {
  ast::ForDecl decl;
  decl.ranges = ExprParser(stream_).ranges();
  const bool colon = stream_.accept(TokenKind::Colon);
  ++loops_;
  // Panic in the single declaration passes through: the count must be restored then, too.
  struct Leave {
    uint32_t &loops;
    ~Leave() { --loops; }
  } leave{loops_};
  if (stream_.at(TokenKind::LeftBrace)) {
    const Token open = stream_.take();
    decl.body = declarations(stream_.braceDepth());
    if (stream_.at(TokenKind::EndOfFile))
      stream_.fail(open.range, "this '{' is not closed before the end of the file");
    stream_.expect(TokenKind::RightBrace, "'}' after the block");
  } else if (colon) {
    decl.body.push_back(declaration());
  } else {
    stream_.failExpected("':' or '{' after the range");
  }
  return decl;
}

} // namespace mpf
