// Tokens of .mpf text: a kind, a range, and the value of a number. The text of a name or string is
// found in the source at its range; spelling.h removes quotes and escapes.
#pragma once

#include "dsl/source/source_buffer.h"

#include <cstdint>
#include <optional>
#include <span>
#include <string_view>

namespace mpf {

enum class TokenKind : uint8_t {
#define MPF_TOKEN(kind, description) kind,
#include "dsl/syntax/token.def"
};

struct Token {
  TokenKind kind = TokenKind::EndOfFile;
  bool quoted = false;    ///< a name in backquotes, which is never a reserved word
  bool lineStart = false; ///< the first token on its line
  SourceRange range;
  double number = 0;  ///< kind == Number, or Inf
  bool isFar = false; ///< a Number that no normal double holds: `number` is the nearest double
  bool bad = false;   ///< the lexer has reported this token, or characters just before it
};

/// Returns the kind of the reserved word `text`; nothing if `text` is not reserved.
std::optional<TokenKind> reservedWord(std::string_view text);

/// Whether a word starts a declaration: `model`, `var`, ...
bool isDeclarationWord(TokenKind kind);
/// Returns their spellings, for suggestions.
std::span<const std::string_view> declarationWords();

} // namespace mpf
