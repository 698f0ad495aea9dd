// Parses queries (grammar: "query" in dsl/LANGUAGE.md).
#pragma once

#include "dsl/syntax/ast.h"
#include "dsl/syntax/token_stream.h"

namespace mpf {

/// Throws Panic after reporting an error.
class QueryParser {
public:
  explicit QueryParser(TokenStream &stream) : stream_(stream) {}

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
};

} // namespace mpf
