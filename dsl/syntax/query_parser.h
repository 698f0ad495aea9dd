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
  /// `observations` parses what is given after the '|' of a short form.
  QueryParser(TokenStream &stream, std::function<std::vector<ast::ObserveItem>()> observations)
      : stream_(stream), observations_(std::move(observations)) {}

  /// Parses one query after the word `query`.
  ast::QueryDecl query();

private:
  void shortForm(ast::QueryDecl &decl);
  void conditions(ast::QueryDecl &decl);
  void explicitForm(ast::QueryDecl &decl);
  bool atReduction();
  ast::ReductionClause reduction();
  void product(ast::QueryDecl &decl);
  ast::CombineOp takeOperator();
  ast::FactorRef factorRef();

  TokenStream &stream_;
  std::function<std::vector<ast::ObserveItem>()> observations_;
};

} // namespace mpf
