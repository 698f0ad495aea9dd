// The head of all HTML pages of results, and the escaping of text in them.
#pragma once

#include <string>

namespace mpf::bench {

/// Returns the page from <!DOCTYPE html> to the heading; the caller continues in <body> and ends
/// it. The style covers figures in rows of two, svg drawings (classes grid and mark), tables with a
/// first column of names, and coloured dots (class key).
std::string pageHead(const std::string &title);

/// Escapes text between tags and in attributes.
std::string escapeHtml(const std::string &text);

} // namespace mpf::bench
