#include "dsl/syntax/param_parser.h"

#include "dsl/syntax/expr_parser.h"
#include "dsl/syntax/spelling.h"
#include "dsl/syntax/value_parser.h"

#include <fmt/format.h>
#include <utility>
#include <variant>

namespace mpf {

// param = "param" paramItem { "," paramItem }
ast::ParamDecl ParamParser::declaration() {
  ast::ParamDecl decl;
  do
    decl.items.push_back(item());
  while (stream_.accept(TokenKind::Comma));
  return decl;
}

// paramItem = name { "[" [ expression ] "]" } [ "=" given | "in" sweep ]
ast::ParamItem ParamParser::item() {
  ast::ParamItem item;
  item.name = stream_.expectName("the param's name");
  item.axes = axes();
  if (stream_.at(TokenKind::In) && !item.axes.empty())
    stream_.fail(stream_.current().range, "a sweep over the values of an array",
                 "an array has one value: param w[2] = [1, 2]; a number is swept");
  if (stream_.accept(TokenKind::In)) {
    sweep(item);
  } else if (stream_.accept(TokenKind::Assign)) {
    if (item.axes.empty() && stream_.at(TokenKind::LeftBracket))
      stream_.fail(stream_.current().range, "an array as the value of a number",
                   fmt::format("an array has axes: param {}[] = ...; a sweep is written with 'in'",
                               excerpt(item.name.text)));
    takeValue(item);
    if (stream_.at(TokenKind::DotDot))
      stream_.fail(stream_.current().range, "'..' in the value of a constant param",
                   "a sweep over a range is written with 'in': param k in 0..10");
  } else {
    item.kind = ast::ParamKind::None;
    if (!stream_.at(TokenKind::Comma) && !stream_.at(TokenKind::EndOfFile) &&
        !isDeclarationWord(stream_.current().kind))
      stream_.failExpected("'=' or 'in' after the param's name");
  }
  item.range = stream_.since(item.name.range.begin);
  return item;
}

ast::ParamItem ParamParser::givenParam() {
  ast::ParamItem item;
  item.name = stream_.expectName("the param's name");
  if (stream_.accept(TokenKind::In)) {
    sweep(item);
  } else {
    stream_.expect(TokenKind::Assign, "'=' or 'in' after the param's name");
    if (stream_.atWord("linspace"))
      sweep(item);
    else
      takeValue(item);
    if (item.kind == ast::ParamKind::Constant && stream_.accept(TokenKind::DotDot)) {
      item.kind = ast::ParamKind::Range;
      item.args.push_back(ExprParser(stream_).expression());
    }
  }
  item.range = stream_.since(item.name.range.begin);
  return item;
}

/// Takes what stands behind '='.
void ParamParser::takeValue(ast::ParamItem &item) {
  ast::Value value = ValueParser(stream_).given("a param");
  if (auto *expr = std::get_if<ast::Expr>(&value.node); expr && item.axes.empty()) {
    item.args.push_back(std::move(*expr));
  } else {
    item.kind = ast::ParamKind::Given;
    item.given.push_back(std::move(value));
  }
}

std::vector<ast::ParamAxis> ParamParser::axes() {
  std::vector<ast::ParamAxis> axes;
  while (stream_.at(TokenKind::LeftBracket)) {
    stream_.countNode();
    ast::ParamAxis axis;
    const uint32_t begin = stream_.take().range.begin;
    if (!stream_.at(TokenKind::RightBracket))
      axis.length.push_back(ExprParser(stream_).expression());
    if (stream_.at(TokenKind::Comma))
      stream_.fail(stream_.current().range, "',' between axes", "write w[2][3], not w[2, 3]");
    stream_.expect(TokenKind::RightBracket, "']' after the axis");
    axis.range = stream_.since(begin);
    axes.push_back(std::move(axis));
  }
  return axes;
}

// sweep = "linspace" "(" expression "," expression "," expression ")"
//       | "[" expression { "," expression } "]"
//       | file
//       | expression ".." expression
//       | name { "[" expression "]" }
void ParamParser::sweep(ast::ParamItem &item) {
  ExprParser exprs(stream_);
  if (stream_.atWord("linspace") && stream_.ahead().kind == TokenKind::LeftParen) {
    item.kind = ast::ParamKind::Linspace;
    const uint32_t begin = stream_.take().range.begin;
    stream_.take();
    do
      item.args.push_back(exprs.expression());
    while (stream_.accept(TokenKind::Comma));
    stream_.expect(TokenKind::RightParen, "',' or ')' in linspace");
    if (item.args.size() != 3)
      stream_.fail(stream_.since(begin),
                   fmt::format("linspace has {} argument{}, it needs 3", item.args.size(),
                               item.args.size() == 1 ? "" : "s"),
                   "linspace(first, last, count)");
  } else if (stream_.accept(TokenKind::LeftBracket)) {
    item.kind = ast::ParamKind::List;
    do
      item.args.push_back(exprs.expression());
    while (stream_.accept(TokenKind::Comma));
    stream_.expect(TokenKind::RightBracket, "',' or ']' in the list of values");
  } else if (ValueParser values(stream_); values.atFile()) {
    item.kind = ast::ParamKind::Values;
    item.given.push_back(values.given("a sweep"));
  } else {
    ast::Expr first = exprs.expression();
    if (first.kind == ast::ExprKind::Ref && !stream_.at(TokenKind::DotDot)) {
      item.kind = ast::ParamKind::Values;
      const SourceRange range = first.range;
      item.given.push_back({range, std::move(first)});
      return;
    }
    item.kind = ast::ParamKind::Range;
    item.args.push_back(std::move(first));
    stream_.expect(TokenKind::DotDot, "'..' and the end of the range");
    item.args.push_back(exprs.expression());
  }
}

} // namespace mpf
