// Turns names and strings from their spelling in the source into text, and back.
//
// A plain name consists of letters, digits, '_' and non-ASCII characters and does not start with a
// digit. Any other name, and a reserved word, must be in backquotes: `0-4`, `in`. Strings are in
// double quotes. Both may contain the escapes \\ \" \` \n \t \r and \xHH for one byte.
#pragma once

#include <optional>
#include <span>
#include <string>
#include <string_view>

namespace mpf {

constexpr bool isDigit(char c) { return c >= '0' && c <= '9'; }
bool isNameStart(char c);
bool isNameChar(char c);

/// Whether `text` is a name that needs no backquotes.
bool isPlainName(std::string_view text);

/// True if `spelled`, the text of `number`, says more than a whole number's value: "01", "1.0",
/// "1e0". Labels may be spelled so.
bool isSpelledOtherwise(double number, std::string_view spelled);
/// Returns `name` as it is spelled in a source: in backquotes if it needs them.
std::string spellName(std::string_view name);
/// Returns `text` as a string literal with its quotes.
std::string spellString(std::string_view text);

/// Returns the text of a name or string without its quotes, with its escapes replaced. An unknown
/// escape, which the lexer has reported, gives its character without the backslash.
std::string unspell(std::string_view spelled);

/// Returns the offset of the first byte of `text` that is not part of valid UTF-8; nothing if all
/// are.
std::optional<size_t> firstInvalidUtf8(std::string_view text);

/// Returns `text` for a message: cut to `maxBytes` at the end of a character, with "..." at the
/// cut, and with '?' in place of control characters.
std::string excerpt(std::string_view text, size_t maxBytes = 40);
/// "a, b, c" for a message: the first of the texts, and how many more there are.
std::string excerptList(std::span<const std::string> texts);

} // namespace mpf
