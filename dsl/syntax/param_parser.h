// Parses params and their sweeps (grammar: "param" in dsl/LANGUAGE.md).
#pragma once

#include "dsl/syntax/ast.h"
#include "dsl/syntax/token_stream.h"

#include <vector>

namespace mpf {

/// Throws Panic after reporting an error.
class ParamParser {
public:
  explicit ParamParser(TokenStream &stream) : stream_(stream) {}

  /// Parses a declaration after the word `param`.
  ast::ParamDecl declaration();
  /// Parses name ( "in" sweep | "=" ( sweep | given ) ).
  ast::ParamItem givenParam();

private:
  ast::ParamItem item();
  void takeValue(ast::ParamItem &item);
  std::vector<ast::ParamAxis> axes();
  void sweep(ast::ParamItem &item);

  TokenStream &stream_;
};

} // namespace mpf
