// Queries (grammar: "query" in dsl/README.md).
#pragma once

#include "dsl/syntax/ast.h"
#include "dsl/syntax/token_stream.h"

namespace mpf {

/// Throws Panic after reporting.
class QueryParser {
public:
  explicit QueryParser(TokenStream &stream) : stream_(stream) {}

  /// What follows the word `query`.
  ast::QueryDecl query();

private:
  void shortForm(ast::QueryDecl &decl);
  void explicitForm(ast::QueryDecl &decl);
  bool atReduction();
  ast::ReductionClause reduction();
  void product(ast::QueryDecl &decl);
  ast::CombineOp takeOperator();
  ast::FactorRef factorRef();

  TokenStream &stream_;
};

} // namespace mpf
