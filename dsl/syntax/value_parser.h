// Parses factor values (grammar: "value" in dsl/LANGUAGE.md): arrays, maps, file(...),
// normalise(...), input, expressions.
#pragma once

#include "dsl/syntax/token_stream.h"

namespace mpf {

/// Throws Panic after reporting an error.
class ValueParser {
public:
  explicit ValueParser(TokenStream &stream) : stream_(stream) {}

  /// Parses any value that is allowed after the '=' of a factor.
  ast::Value value();
  /// Parses an array, map or expression; file(...), normalise(...) and input are not allowed.
  /// `where` names the place in messages: "soft evidence", "a map".
  ast::Value inlineValue(std::string_view where);
  /// Parses a value other than 'input'.
  ast::Value given(std::string_view where);
  /// Whether file(...) follows, and parses it.
  bool atFile() const { return atCall("file"); }
  ast::FileValue fromFile();

private:
  bool atCall(std::string_view word) const;
  /// Parses exp(...) of an array or a map, or of a file if `mayBeFile`. Returns false if an
  /// expression follows.
  bool logarithms(bool mayBeFile, ast::Value &value);
  ast::MapLiteral map();
  ast::MapEntry entry();
  ast::MapKey key();

  TokenStream &stream_;
};

} // namespace mpf
