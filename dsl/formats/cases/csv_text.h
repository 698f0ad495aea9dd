// Cells and lines of CSV as texts.
#pragma once

#include <cstddef>
#include <string>
#include <string_view>

namespace mpf {

/// The cell without blanks and tabs around it.
std::string_view withoutBlanks(std::string_view text);

/// Appends a raw cell to `text`. It gets quotes where readers of RFC 4180 would otherwise take it
/// for something else.
void appendKeptCell(std::string_view cell, std::string &text);

/// Returns the number of lines with text in [line, end), which holds whole lines. It bounds the
/// number of rows.
size_t linesWithText(const char *line, const char *end);

} // namespace mpf
