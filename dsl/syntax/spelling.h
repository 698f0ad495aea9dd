// Names and strings: from source spelling to text and back.
//
// A name is letters, digits, '_' and non-ASCII characters, not starting with a digit; anything
// else (and a reserved word) is a name in backquotes: `0-4`, `in`. Strings stand in double quotes.
// Escapes in both: \\ \" \` \n \t \r and \xHH for one byte.
#pragma once

#include <optional>
#include <string>
#include <string_view>

namespace mpf {

constexpr bool isDigit(char c) { return c >= '0' && c <= '9'; }
bool isNameStart(char c);
bool isNameChar(char c);

/// True when `text` can stand as a name without backquotes.
bool isPlainName(std::string_view text);

/// `name` as the language spells it: plain where possible, else in backquotes.
std::string spellName(std::string_view name);
/// `text` as a string literal with its quotes.
std::string spellString(std::string_view text);

/// The text of a spelled name or string: quotes taken off, escapes undone. Escapes that do not
/// exist stand for themselves (the lexer has reported them).
std::string unspell(std::string_view spelled);

/// Offset of the first byte of `text` that is not part of valid UTF-8, if there is one.
std::optional<size_t> firstInvalidUtf8(std::string_view text);

/// `text` shortened to at most `maxBytes` for a message: whole characters, "..." where cut,
/// '?' for control characters.
std::string excerpt(std::string_view text, size_t maxBytes = 40);

} // namespace mpf
