// What all HTML pages of results begin with, and text in them.
#pragma once

#include <string>

namespace mpf::bench {

/// From <!DOCTYPE html> to the heading; the caller goes on in <body> and ends it. The style knows
/// figures of two in a row, svg drawings (classes grid and mark), tables with a first column of
/// names, and dots of a colour (class key).
std::string pageHead(const std::string &title);

/// For text between tags and in attributes.
std::string escapeHtml(const std::string &text);

} // namespace mpf::bench
