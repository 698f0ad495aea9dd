// The byte order mark, which some editors and spreadsheets write before the first character of a
// text.
#pragma once

#include <string_view>

namespace mpf {

inline constexpr std::string_view kByteOrderMark = "\xef\xbb\xbf"; // UTF-8

} // namespace mpf
