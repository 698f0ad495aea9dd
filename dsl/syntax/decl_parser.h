// Parses declarations; observations, params and queries have separate parsers (grammar:
// "declaration" in dsl/LANGUAGE.md).
#pragma once

#include "dsl/syntax/ast.h"
#include "dsl/syntax/token_stream.h"

namespace mpf {

class DeclParser {
public:
  explicit DeclParser(TokenStream &stream) : stream_(stream) {}

  /// Parses the declarations up to the end of the file (`braceDepth` 0), or up to the '}' that
  /// closes the block at depth `braceDepth`. Reports errors and goes on at the next declaration;
  /// never throws Panic.
  std::vector<ast::Decl> declarations(uint32_t braceDepth);

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
  ast::FactorDecl factor();
  ast::ProbDecl prob();
  std::optional<ast::NoisyValue> noisy();
  ast::ForDecl forLoop();
  ast::OrderDecl order();
  ast::IncludeDecl include();
  void checkPlacement(const Token &word);
  [[noreturn]] void failNoDeclaration();

  TokenStream &stream_;
  uint32_t loops_ = 0;    ///< number of `for` around the current declaration
  bool anything_ = false; ///< a declaration was read, so a `model` line now is an error
};

} // namespace mpf
