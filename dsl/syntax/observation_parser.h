// Parses observations, interventions and conditions (grammar: "observation" in dsl/LANGUAGE.md).
#pragma once

#include "dsl/syntax/ast.h"
#include "dsl/syntax/token_stream.h"

#include <string_view>
#include <vector>

namespace mpf {

/// Throws Panic after reporting an error.
class ObservationParser {
public:
  explicit ObservationParser(TokenStream &stream) : stream_(stream) {}

  /// Parses a declaration after the word `observe`.
  decltype(ast::Decl::node) declaration();
  /// Parses observation { "," observation }: at least one.
  std::vector<ast::ObserveItem> observations();
  /// Parses condition { "," condition }. A condition that is a variable alone is added to `rows`;
  /// null: each is an observation.
  std::vector<ast::ObserveItem> conditions(std::vector<ast::VarRef> *rows);

private:
  /// Parses conditions or observations; `stateHint` is the hint where a state is missing.
  std::vector<ast::ObserveItem> observationsOr(std::vector<ast::VarRef> *rows,
                                               std::string_view stateHint);
  ast::ObserveItem intervention();
  /// Parses the rest of an observation.
  ast::ObserveItem observationOf(ast::VarRef variable);

  TokenStream &stream_;
};

} // namespace mpf
