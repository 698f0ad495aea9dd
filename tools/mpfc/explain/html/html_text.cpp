#include "tools/mpfc/explain/html/html_text.h"

#include "dsl/support/check.h"
#include "tools/mpfc/explain/facts/facts.h"

#include <algorithm>
#include <cmath>
#include <fmt/format.h>

namespace mpf {

namespace {

void appendEscaped(std::string_view line, std::string &escaped) {
  for (const char c : displayText(line)) {
    switch (c) {
    case '&':
      escaped += "&amp;";
      break;
    case '<':
      escaped += "&lt;";
      break;
    case '>':
      escaped += "&gt;";
      break;
    case '"':
      escaped += "&quot;";
      break;
    case '\'':
      escaped += "&#39;";
      break;
    default:
      escaped += c;
    }
  }
}

} // namespace

std::string escapedHtml(std::string_view text) {
  std::string escaped;
  while (true) {
    const size_t end = text.find('\n');
    appendEscaped(text.substr(0, end), escaped);
    if (end == std::string_view::npos)
      return escaped;
    escaped += '\n';
    text.remove_prefix(end + 1);
  }
}

std::string filledTemplate(std::string_view contents,
                           const std::vector<std::pair<std::string, std::string>> &values) {
  std::string filled;
  size_t used = 0;
  while (true) {
    const size_t open = contents.find("{{");
    filled += contents.substr(0, open);
    if (open == std::string_view::npos)
      break;
    const size_t close = contents.find("}}", open);
    MPF_CHECK(close != std::string_view::npos, "template ends inside a name at {}", open);
    const std::string_view name = contents.substr(open + 2, close - open - 2);
    const auto value = std::find_if(values.begin(), values.end(),
                                    [name](const auto &pair) { return pair.first == name; });
    MPF_CHECK(value != values.end(), "template asks for '{}', which is not among {} values", name,
              values.size());
    filled += value->second;
    ++used;
    contents.remove_prefix(close + 2);
  }
  MPF_CHECK(used == values.size(), "template uses {} values, {} are given", used, values.size());
  return filled;
}

std::string legendItem(std::string_view style, std::string_view text) {
  return fmt::format("<li><span class=\"swatch {}\"></span>{}</li>", style, escapedHtml(text));
}

std::string svgNumber(double value) {
  const double rounded = std::round(value * 10) / 10;
  return fmt::format("{}", rounded == 0 ? 0.0 : rounded);
}

} // namespace mpf
