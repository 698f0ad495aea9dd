// Parses declarations, except queries (grammar: "declaration" in dsl/LANGUAGE.md).
#pragma once

#include "dsl/syntax/token_stream.h"

#include "dsl/syntax/ast.h"

namespace mpf {

class DeclParser {
public:
  explicit DeclParser(TokenStream &stream) : stream_(stream) {}

  /// Parses the declarations up to the end of the file (`braceDepth` 0), or up to the '}' that
  /// closes the block at depth `braceDepth`. Reports errors and goes on at the next declaration;
  /// never throws Panic.
  std::vector<ast::Decl> declarations(uint32_t braceDepth);

  /// Parses observation { "," observation }: at least one. Throws Panic after reporting an error.
  std::vector<ast::ObserveItem> observations();
  /// Parses condition { "," condition }. A condition that is a variable alone is added to `rows`;
  /// null: each is an observation. Throws likewise.
  std::vector<ast::ObserveItem> conditions(std::vector<ast::VarRef> *rows);

  /// Parses name ( "in" sweep | "=" ( sweep | given ) ). Throws Panic likewise.
  ast::ParamItem givenParam();

private:
  ast::Decl declaration();
  ast::ModelDecl model();
  ast::DomainDecl domain();
  ast::DomainSpec domainSpec();
  ast::Name label();
  ast::VarDecl var();
  ast::VarGroup varGroup();
  ast::DefDecl def();
  ast::Argument argument();
  std::vector<ast::Binding> where();
  ast::ParamDecl param();
  ast::ParamItem paramItem();
  void takeValue(ast::ParamItem &item);
  std::vector<ast::ParamAxis> axes();
  void sweep(ast::ParamItem &item);
  ast::FactorDecl factor();
  ast::ProbDecl prob();
  std::optional<ast::NoisyValue> noisy();
  ast::ForDecl forLoop();
  decltype(ast::Decl::node) observe();
  ast::ObserveItem intervention();
  /// Parses conditions or observations; `stateHint` is the hint where a state is missing.
  std::vector<ast::ObserveItem> observationsOr(std::vector<ast::VarRef> *rows,
                                               std::string_view stateHint);
  /// Parses the rest of an observation.
  ast::ObserveItem observationOf(ast::VarRef variable);
  ast::OrderDecl order();
  ast::IncludeDecl include();
  void checkPlacement(const Token &word);
  [[noreturn]] void failNoDeclaration();

  TokenStream &stream_;
  uint32_t loops_ = 0;    ///< number of `for` around the current declaration
  bool anything_ = false; ///< a declaration was read, so a `model` line now is an error
};

} // namespace mpf
