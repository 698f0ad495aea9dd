// Small pieces of HTML and SVG.
#pragma once

#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace mpf {

/// Text for element contents and quoted attributes: names may hold < & ' " and broken UTF-8.
/// Lines stay lines; other control characters do not pass.
std::string escapedHtml(std::string_view text);

/// `contents` with each "{{name}}" replaced; what is put in is not searched again. Every name of
/// the template must be given, and every given name must occur.
std::string filledTemplate(std::string_view contents,
                           const std::vector<std::pair<std::string, std::string>> &values);

/// A number for SVG: at most one decimal, so that pages stay small.
std::string svgNumber(double value);

} // namespace mpf
