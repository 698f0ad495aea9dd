// Finds characters that must not reach a terminal. Messages and results quote names and texts of
// files, which anybody may have written.
#pragma once

#include <algorithm>
#include <cstddef>
#include <string>
#include <string_view>

namespace mpf {

/// Returns the length of the UTF-8 sequence at text[at], or 0: no overlong forms, surrogates, or
/// code points past U+10FFFF (RFC 3629, section 4).
size_t utf8Length(std::string_view text, size_t at);

/// Whether the character at text[at] could steer a terminal or show the text in another order. Such
/// characters are control characters (below U+0020, U+007F to U+009F), U+2028 and U+2029, which end
/// lines, and the formatting characters of the Unicode bidirectional algorithm (Unicode Standard
/// Annex 9). A byte that is no UTF-8 is one too.
bool isControl(std::string_view text, size_t at);

/// Calls visit(place, shown) for each character: `shown` is the character, or "?" for a control
/// character that is none of `kept`.
template <class Visit>
void forEachShown(std::string_view text, std::string_view kept, const Visit &visit) {
  for (size_t at = 0; at < text.size();) {
    const size_t length = std::max<size_t>(utf8Length(text, at), 1);
    const bool isShown = kept.find(text[at]) != std::string_view::npos || !isControl(text, at);
    visit(at, isShown ? text.substr(at, length) : std::string_view("?"));
    at += length;
  }
}

/// Whether all characters are those that any terminal shows. Most names are.
bool isPlain(std::string_view text);

/// Returns the text with '?' for each control character, except those of `kept`.
std::string withoutControls(std::string_view text, std::string_view kept = "");

} // namespace mpf
