#include "dsl/formats/xml/xml_text.h"

#include "dsl/syntax/spelling.h"

#include <algorithm>

namespace mpf {

bool isXmlText(std::string_view text) {
  return !text.empty() && text.front() != ' ' && text.back() != ' ' &&
         !firstInvalidUtf8(text).has_value() &&
         std::ranges::none_of(text, [](unsigned char c) { return c < ' ' || c == 0x7f; }) &&
         // The characters that are no text although UTF-8 has them: U+FFFE and U+FFFF.
         text.find("\xef\xbf\xbe") == text.npos && text.find("\xef\xbf\xbf") == text.npos;
}

void appendXmlText(std::string &out, std::string_view text) {
  for (const char c : text) {
    if (c == '&')
      out += "&amp;";
    else if (c == '<')
      out += "&lt;";
    else if (c == '>')
      out += "&gt;";
    else if (c == '"')
      out += "&quot;";
    else
      out += c;
  }
}

} // namespace mpf
