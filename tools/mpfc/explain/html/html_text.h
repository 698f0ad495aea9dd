// Small pieces of HTML and SVG.
#pragma once

#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace mpf {

/// Returns text for element contents and quoted attributes: names may hold < & ' " and broken
/// UTF-8. Line ends are kept; other control characters are replaced.
std::string escapedHtml(std::string_view text);

/// Returns `contents` with each "{{name}}" replaced; replacements are not searched again. Every
/// name of the template must be given, and every given name must occur.
std::string filledTemplate(std::string_view contents,
                           const std::vector<std::pair<std::string, std::string>> &values);

/// Returns an entry of a legend: a swatch with the class `style`, and text, which is escaped.
std::string legendItem(std::string_view style, std::string_view text);

/// Returns a number for SVG: at most one decimal, so that pages stay small.
std::string svgNumber(double value);

} // namespace mpf
