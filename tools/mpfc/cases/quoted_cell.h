// Spells cells of CSV.
#pragma once

#include <string>

namespace mpf::driver {

/// Returns `text` as a cell: in quotes if it has commas, quotes or ends of lines (RFC 4180).
inline std::string quotedCell(const std::string &text) {
  if (text.find_first_of(",\"\n\r") == std::string::npos)
    return text;
  std::string cell = "\"";
  for (const char c : text)
    cell += c == '"' ? std::string("\"\"") : std::string(1, c);
  return cell + '"';
}

} // namespace mpf::driver
