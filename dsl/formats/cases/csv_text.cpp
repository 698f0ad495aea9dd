#include "dsl/formats/cases/csv_text.h"

#include <cstring>

namespace mpf {

std::string_view withoutBlanks(std::string_view text) {
  while (text.starts_with(' ') || text.starts_with('\t'))
    text.remove_prefix(1);
  while (text.ends_with(' ') || text.ends_with('\t'))
    text.remove_suffix(1);
  return text;
}

void appendKeptCell(std::string_view cell, std::string &text) {
  if (cell.starts_with('"') || cell.find_first_of("\"\r") == std::string_view::npos) {
    text += cell;
    return;
  }
  text += '"';
  for (const char c : cell)
    text.append(c == '"' ? 2 : 1, c);
  text += '"';
}

size_t linesWithText(const char *line, const char *end) {
  size_t count = 0;
  while (line != end) {
    const auto *lineFeed =
        static_cast<const char *>(std::memchr(line, '\n', static_cast<size_t>(end - line)));
    count += lineFeed - line > 1 || (lineFeed - line == 1 && *line != '\r');
    line = lineFeed + 1;
  }
  return count;
}

} // namespace mpf
