// Text -> XML, for writers of formats in XML.
#pragma once

#include <string>
#include <string_view>

namespace mpf {

/// Whether an element can hold the text so that every reader gets it back: it is valid UTF-8, not
/// empty, without control characters, and without blanks at its ends.
bool isXmlText(std::string_view text);

/// Appends the text, with `&amp;` and the like for marks of XML.
void appendXmlText(std::string &out, std::string_view text);

} // namespace mpf
