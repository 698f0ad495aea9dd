#include "dsl/syntax/expr_parser.h"

#include "dsl/support/numbers/scaled_text.h"
#include "dsl/support/wide_table.h"
#include "dsl/syntax/ast_names.h"
#include "dsl/syntax/spelling.h"

#include <algorithm>
#include <string_view>
#include <utility>

namespace mpf {

using ast::Expr;
using ast::ExprKind;
using ast::Operator;

Expr ExprParser::node(ExprKind kind, uint32_t begin, std::vector<Expr> children) {
  stream_.countNode();
  Expr expr;
  expr.kind = kind;
  expr.range = stream_.since(begin);
  for (const Expr &child : children)
    expr.depth = std::max(expr.depth, child.depth + 1);
  expr.children = std::move(children);
  if (expr.depth > ast::kMaxExprDepth)
    stream_.fail(expr.range, fmt::format("this expression is {} levels deep, the limit is {}",
                                         expr.depth, ast::kMaxExprDepth));
  return expr;
}

Expr ExprParser::binary(Operator op, Expr left, Expr right) {
  const uint32_t begin = left.range.begin;
  std::vector<Expr> children;
  children.reserve(2);
  children.push_back(std::move(left));
  children.push_back(std::move(right));
  Expr expr = node(ExprKind::Binary, begin, std::move(children));
  expr.op = op;
  return expr;
}

// expression = disjunction [ "?" expression ":" expression ]
Expr ExprParser::expression() {
  const Nesting nesting(stream_);
  Expr condition = disjunction();
  if (stream_.at(TokenKind::Assign))
    stream_.fail(stream_.current().range, "'=' stands in the middle of an expression",
                 "did you mean '=='?");
  if (!stream_.accept(TokenKind::Question))
    return condition;
  const uint32_t begin = condition.range.begin;
  std::vector<Expr> children;
  children.push_back(std::move(condition));
  children.push_back(expression());
  stream_.expect(TokenKind::Colon, "':' and the value for when the condition does not hold");
  children.push_back(expression());
  return node(ExprKind::Conditional, begin, std::move(children));
}

// disjunction = conjunction { "||" conjunction }
Expr ExprParser::disjunction() {
  Expr left = conjunction();
  while (stream_.accept(TokenKind::OrOr))
    left = binary(Operator::Or, std::move(left), conjunction());
  return left;
}

// conjunction = comparison { "&&" comparison }
Expr ExprParser::conjunction() {
  Expr left = comparison();
  while (stream_.accept(TokenKind::AndAnd))
    left = binary(Operator::And, std::move(left), comparison());
  return left;
}

namespace {
std::optional<Operator> comparisonOperator(TokenKind kind) {
  switch (kind) {
  case TokenKind::EqualEqual:
    return Operator::Equal;
  case TokenKind::NotEqual:
    return Operator::NotEqual;
  case TokenKind::Less:
    return Operator::Less;
  case TokenKind::LessEqual:
    return Operator::LessEqual;
  case TokenKind::Greater:
    return Operator::Greater;
  case TokenKind::GreaterEqual:
    return Operator::GreaterEqual;
  default:
    return std::nullopt;
  }
}
} // namespace

// comparison = sum [ ("==" | "!=" | "<" | "<=" | ">" | ">=") sum ]
Expr ExprParser::comparison() {
  Expr left = sum();
  const auto op = comparisonOperator(stream_.current().kind);
  if (!op)
    return left;
  stream_.take();
  left = binary(*op, std::move(left), sum());
  if (comparisonOperator(stream_.current().kind))
    stream_.fail(stream_.current().range,
                 fmt::format("comparisons do not chain: {} follows a comparison", stream_.found()),
                 "join two comparisons with '&&', or put one in parentheses");
  return left;
}

// sum = term { ("+" | "-") term }
Expr ExprParser::sum() {
  Expr left = term();
  while (stream_.at(TokenKind::Plus) || stream_.at(TokenKind::Minus)) {
    const bool plus = stream_.take().kind == TokenKind::Plus;
    left = binary(plus ? Operator::Add : Operator::Subtract, std::move(left), term());
  }
  return left;
}

namespace {
Operator termOperator(TokenKind kind) {
  switch (kind) {
  case TokenKind::Star:
    return Operator::Multiply;
  case TokenKind::Slash:
    return Operator::Divide;
  case TokenKind::Percent:
    return Operator::Modulo;
  default:
    return Operator::None;
  }
}

/// Whether an operand of '%' may begin so. A declaration word or ',' follows `80 %`.
bool startsOperand(TokenKind kind) {
  return kind == TokenKind::Identifier || kind == TokenKind::Number || kind == TokenKind::Inf ||
         kind == TokenKind::String || kind == TokenKind::LeftParen || kind == TokenKind::Minus ||
         kind == TokenKind::Not;
}
} // namespace

// term = unary { ("*" | "/" | "%") unary }
Expr ExprParser::term() {
  Expr left = unary();
  for (Operator op = termOperator(stream_.current().kind); op != Operator::None;
       op = termOperator(stream_.current().kind)) {
    stream_.take();
    if (op == Operator::Multiply && stream_.at(TokenKind::Star))
      stream_.fail(stream_.current().range, "'**' is not an operator", "powers are written x^2");
    if (op == Operator::Modulo && !startsOperand(stream_.current().kind))
      stream_.failExpected("a divisor after '%'", "a % b is the remainder; 80 % is written 0.8");
    left = binary(op, std::move(left), unary());
  }
  return left;
}

// unary = ("-" | "!") unary | power
Expr ExprParser::unary() {
  const bool minus = stream_.at(TokenKind::Minus);
  if (!minus && !stream_.at(TokenKind::Not))
    return power();
  const Nesting nesting(stream_);
  const uint32_t begin = stream_.take().range.begin;
  std::vector<Expr> children;
  children.push_back(unary());
  Expr expr = node(ExprKind::Unary, begin, std::move(children));
  expr.op = minus ? Operator::Negate : Operator::Not;
  return expr;
}

// power = primary [ "^" unary ]
Expr ExprParser::power() {
  Expr base = primary();
  if (!stream_.at(TokenKind::Caret))
    return base;
  const Nesting nesting(stream_);
  stream_.take();
  return binary(Operator::Power, std::move(base), unary());
}

Expr ExprParser::number(uint32_t begin, double value) {
  Expr expr = node(ExprKind::Number, begin, {});
  expr.number = value;
  return expr;
}

/// Parses a number that no double holds as a product with a power of two.
Expr ExprParser::farNumber(const Token &token) {
  const ScaledNumber value = parseScaled(stream_.spelling(token)).value_or(ScaledNumber{});
  if (value.exponent > kMostWideExponent || value.exponent < -kMostWideExponent)
    stream_.fail(token.range,
                 fmt::format("{} is beyond what tables hold: 2^-{} to 2^{}",
                             excerpt(stream_.spelling(token)), kMostWideExponent,
                             kMostWideExponent),
                 value.exponent > 0 ? "write inf for infinity" : "");
  const uint32_t begin = token.range.begin;
  Expr power =
      binary(Operator::Power, number(begin, 2), number(begin, static_cast<double>(value.exponent)));
  return binary(Operator::Multiply, number(begin, value.mantissa), std::move(power));
}

static bool startsValue(TokenKind kind) {
  return kind == TokenKind::Identifier || kind == TokenKind::Number || kind == TokenKind::Not;
}

// primary = number | "inf" | string | name { "[" expression "]" } | call | "(" expression ")"
Expr ExprParser::primary() {
  const Token token = stream_.current();
  switch (token.kind) {
  case TokenKind::Number:
  case TokenKind::Inf: {
    stream_.take();
    if (token.isFar)
      return farNumber(token);
    Expr expr = number(token.range.begin, token.number);
    if (token.kind == TokenKind::Number)
      expr.name = stream_.spelling(token);
    return expr;
  }
  case TokenKind::String: {
    ast::Name label = stream_.expectString("a label");
    Expr expr = node(ExprKind::String, token.range.begin, {});
    expr.name = std::move(label.text);
    return expr;
  }
  case TokenKind::Identifier: {
    if (!token.quoted && stream_.ahead().kind == TokenKind::LeftParen)
      return call();
    if (stream_.atWord("if") && startsValue(stream_.ahead().kind))
      stream_.fail(token.range, "'if' is not a word of expressions", ast::functionHint("if"));
    ast::Name name = stream_.expectName("a name");
    Expr expr = node(ExprKind::Ref, token.range.begin, indices(name.text));
    expr.name = std::move(name.text);
    return expr;
  }
  case TokenKind::LeftParen: {
    stream_.take();
    Expr inner = expression();
    stream_.expect(TokenKind::RightParen, "')' to close the parenthesis");
    inner.range = stream_.since(token.range.begin);
    return inner;
  }
  case TokenKind::LeftBracket:
    stream_.fail(token.range, "an array stands in the middle of an expression",
                 "an array is the whole value of a factor, or holds expressions itself");
  case TokenKind::Input:
    stream_.fail(token.range, "'input' is the whole value of a factor, not part of an expression");
  case TokenKind::Plus:
    stream_.failExpected("a value", "a positive number has no sign");
  default:
    stream_.expectName("a value"); // fails; for a reserved word it explains how to quote it
    stream_.failExpected("a value");
  }
}

// call = name "(" expression { "," expression } ")"
// fold = ("sum" | "prod" | "min" | "max" | "any" | "all" | "count") "(" ranges ":" expression ")"
Expr ExprParser::call() {
  const Token word = stream_.take();
  const std::string_view spelled = stream_.spelling(word);
  const ast::Function function = ast::functionNamed(spelled).value_or(ast::Function::None);
  if (spelled == "if")
    stream_.fail(word.range, "'if' is not a function", ast::functionHint(spelled));
  stream_.take();
  if (stream_.at(TokenKind::Identifier) && stream_.ahead().kind == TokenKind::In) {
    if (!ast::isFold(function))
      stream_.fail(stream_.current().range, fmt::format("{} has no ranges", excerpt(spelled)),
                   "sum, prod, min, max, any, all and count have: sum(i in 0..3: x[i])");
    return fold(word, function);
  }
  if (ast::isFoldOnly(function))
    stream_.failExpected(fmt::format("the index and 'in' of {}", spelled),
                         fmt::format("{}(i in 0..3: x[i]) goes over a range", spelled));
  std::vector<Expr> args;
  if (!stream_.at(TokenKind::RightParen))
    do
      args.push_back(expression());
    while (stream_.accept(TokenKind::Comma));
  stream_.expect(TokenKind::RightParen,
                 fmt::format("',' or ')' in the call of {}", excerpt(spelled)));
  if (const ast::ArgumentCount needed = ast::argumentCount(function);
      args.size() < needed.least || args.size() > needed.most)
    stream_.fail(stream_.since(word.range.begin),
                 fmt::format("{} has {} argument{}, it needs {}", excerpt(spelled), args.size(),
                             args.size() == 1 ? "" : "s", needed.text));
  Expr expr = node(ExprKind::Call, word.range.begin, std::move(args));
  expr.function = function;
  if (function == ast::Function::None)
    expr.name = spelled;
  return expr;
}

// indices = { "[" expression "]" }
std::vector<Expr> ExprParser::indices(std::string_view name) {
  const bool isCall = ast::functionNamed(name) || name == "normalise";
  std::vector<Expr> list;
  while (stream_.at(TokenKind::LeftBracket)) {
    stream_.take();
    list.push_back(expression());
    if (stream_.at(TokenKind::Comma))
      stream_.fail(stream_.current().range, "',' between indices",
                   isCall ? fmt::format("{0} takes an array in parentheses: {0}([...])", name)
                          : "write s[i][j], not s[i, j]");
    stream_.expect(TokenKind::RightBracket, "']' after the index");
  }
  return list;
}

// item = expression | [ expression ] ".." [ expression ]
ast::IndexItem ExprParser::item() {
  ast::IndexItem item;
  const uint32_t begin = stream_.here();
  if (!stream_.at(TokenKind::DotDot))
    item.first = expression();
  item.isRange = stream_.accept(TokenKind::DotDot);
  if (item.isRange && !stream_.at(TokenKind::RightBracket))
    item.last = expression();
  item.range = stream_.since(begin);
  return item;
}

// varRef = name { "[" item "]" }
ast::VarRef ExprParser::varRef(std::string_view what) {
  ast::VarRef ref;
  ref.name = stream_.expectName(what);
  while (stream_.accept(TokenKind::LeftBracket)) {
    ref.indices.push_back(item());
    if (stream_.at(TokenKind::Comma))
      stream_.fail(stream_.current().range, "',' between indices", "write s[i][j], not s[i, j]");
    stream_.expect(TokenKind::RightBracket, "']' after the index");
  }
  ref.range = stream_.since(ref.name.range.begin);
  return ref;
}

// varRefs = varRef { "," varRef }
std::vector<ast::VarRef> ExprParser::varRefs(std::string_view what) {
  std::vector<ast::VarRef> refs;
  do
    refs.push_back(varRef(what));
  while (stream_.accept(TokenKind::Comma));
  return refs;
}

} // namespace mpf
