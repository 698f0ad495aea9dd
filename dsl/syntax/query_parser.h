// Parses queries (grammar: "query" in dsl/README.md).
#pragma once

#include "dsl/syntax/ast.h"
#include "dsl/syntax/token_stream.h"

#include <functional>
#include <utility>

namespace mpf {

/// Throws Panic after reporting an error.
class QueryParser {
public:
  /// `takeConditions` is called after the '|' of a short form. Empty: '|' is an error, as in a
  /// model.
  explicit QueryParser(TokenStream &stream, std::function<void()> takeConditions = {})
      : stream_(stream), takeConditions_(std::move(takeConditions)) {}

  /// Parses one query after the word `query`.
  ast::QueryDecl query();

private:
  void shortForm(ast::QueryDecl &decl);
  void conditions();
  void explicitForm(ast::QueryDecl &decl);
  bool atReduction();
  ast::ReductionClause reduction();
  void product(ast::QueryDecl &decl);
  ast::CombineOp takeOperator();
  ast::FactorRef factorRef();

  TokenStream &stream_;
  std::function<void()> takeConditions_;
};

} // namespace mpf
