// Factor values (grammar: "value" in dsl/README.md): arrays, maps, file(...), input, expressions.
#pragma once

#include "dsl/syntax/token_stream.h"

namespace mpf {

/// Throws Panic after reporting.
class ValueParser {
public:
  explicit ValueParser(TokenStream &stream) : stream_(stream) {}

  /// Anything that can stand right of the '=' of a factor.
  ast::Value value();
  /// Array, map or expression: where neither file(...) nor input makes sense. `where` names the
  /// place: "soft evidence", "a map".
  ast::Value inlineValue(std::string_view where);

private:
  ast::MapLiteral map();
  ast::MapEntry entry();
  ast::MapKey key();

  TokenStream &stream_;
};

} // namespace mpf
