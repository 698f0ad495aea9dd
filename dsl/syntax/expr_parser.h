// Parses expressions and references (grammar: "expression" in dsl/LANGUAGE.md).
#pragma once

#include "dsl/syntax/token_stream.h"

namespace mpf {

/// One method for each level of precedence, the lowest first. All methods throw Panic after
/// reporting an error.
class ExprParser {
public:
  explicit ExprParser(TokenStream &stream) : stream_(stream) {}

  ast::Expr expression();
  ast::VarRef varRef(std::string_view what);
  /// Parses varRef { "," varRef }: at least one.
  std::vector<ast::VarRef> varRefs(std::string_view what);
  /// `name` is what has the indices, for a message: a function needs parentheses.
  std::vector<ast::Expr> indices(std::string_view name = {});
  /// Parses range { "," range }: at least one.
  std::vector<ast::Expr> ranges();
  ast::Expr list();

private:
  ast::IndexItem item();
  ast::Expr disjunction();
  ast::Expr conjunction();
  ast::Expr comparison();
  ast::Expr sum();
  ast::Expr term();
  ast::Expr unary();
  ast::Expr power();
  ast::Expr primary();
  ast::Expr number(uint32_t begin, double value);
  ast::Expr farNumber(const Token &token);
  ast::Expr call();
  ast::Expr fold(const Token &word, ast::Function function);
  ast::Expr range();
  ast::Expr node(ast::ExprKind kind, uint32_t begin, std::vector<ast::Expr> children);
  ast::Expr binary(ast::Operator op, ast::Expr left, ast::Expr right);

  TokenStream &stream_;
};

} // namespace mpf
