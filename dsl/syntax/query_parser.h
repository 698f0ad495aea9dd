// Parses queries (grammar: "query" in dsl/LANGUAGE.md).
#pragma once

#include "dsl/syntax/ast.h"
#include "dsl/syntax/token_stream.h"

#include <functional>
#include <utility>

namespace mpf {

/// Throws Panic after reporting an error.
class QueryParser {
public:
  /// Parses what is given after the '|' of a short form (DeclParser::conditions).
  using Conditions = std::function<std::vector<ast::ObserveItem>(std::vector<ast::VarRef> *)>;

  QueryParser(TokenStream &stream, Conditions conditions)
      : stream_(stream), conditions_(std::move(conditions)) {}

  /// Parses one query after the word `query`.
  ast::QueryDecl query();

private:
  void shortForm(ast::QueryDecl &decl);
  void conditions(ast::QueryDecl &decl, bool mayHaveRows);
  void explicitForm(ast::QueryDecl &decl);
  bool atReduction();
  ast::ReductionClause reduction();
  void product(ast::QueryDecl &decl);
  ast::CombineOp takeOperator();
  ast::FactorRef factorRef();

  TokenStream &stream_;
  Conditions conditions_;
};

} // namespace mpf
