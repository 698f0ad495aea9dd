// Ranges, which folds and `for` have: `i in 0..n if i != j`.
#include "dsl/syntax/ast_names.h"
#include "dsl/syntax/expr_parser.h"

#include <utility>

namespace mpf {

using ast::Expr;
using ast::ExprKind;

/// `word` and its '(' were taken.
Expr ExprParser::fold(const Token &word, ast::Function function) {
  const Nesting nesting(stream_);
  std::vector<Expr> children = ranges();
  stream_.expect(TokenKind::Colon,
                 fmt::format("',' or ':' behind a range of {}", ast::functionName(function)));
  children.push_back(expression());
  stream_.expect(TokenKind::RightParen,
                 fmt::format("')' at the end of {}", ast::functionName(function)));
  Expr expr = node(ExprKind::Fold, word.range.begin, std::move(children));
  expr.function = function;
  return expr;
}

// ranges = range { "," range }
std::vector<Expr> ExprParser::ranges() {
  std::vector<Expr> ranges;
  do
    ranges.push_back(range());
  while (stream_.accept(TokenKind::Comma));
  return ranges;
}

// range = name "in" list [ "if" expression ]
Expr ExprParser::range() {
  const uint32_t begin = stream_.here();
  ast::Name name = stream_.expectName("the index's name");
  std::vector<Expr> children;
  children.push_back(node(ExprKind::Ref, begin, {}));
  children.back().name = std::move(name.text);
  stream_.expect(TokenKind::In, "'in' after the index");
  children.push_back(list());
  if (stream_.atWord("if")) {
    stream_.take();
    children.push_back(expression());
  }
  return node(ExprKind::Range, begin, std::move(children));
}

// list = expression [ ".." expression ] | "[" expression { "," expression } "]"
Expr ExprParser::list() {
  const uint32_t begin = stream_.here();
  std::vector<Expr> children;
  if (stream_.accept(TokenKind::LeftBracket)) {
    const Nesting nesting(stream_);
    do
      children.push_back(expression());
    while (stream_.accept(TokenKind::Comma));
    stream_.expect(TokenKind::RightBracket, "',' or ']' in the list");
    return node(ExprKind::List, begin, std::move(children));
  }
  children.push_back(expression());
  const ExprKind kind = children.front().kind;
  if (!stream_.at(TokenKind::DotDot) && (kind == ExprKind::Ref || kind == ExprKind::Call))
    return std::move(children.front());
  stream_.expect(TokenKind::DotDot, "'..' in the range of the index");
  children.push_back(expression());
  return node(ExprKind::Span, begin, std::move(children));
}

} // namespace mpf
