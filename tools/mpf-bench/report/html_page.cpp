#include "tools/mpf-bench/report/html_page.h"

#include <fmt/core.h>

namespace mpf::bench {

std::string pageHead(const std::string &title) {
  constexpr const char *kStyle =
      R"(body { font: 15px/1.4 sans-serif; max-width: 1340px; margin: 2em auto; padding: 0 1em; }
figure { display: inline-block; width: 48%; min-width: 420px; margin: 0 0 1em 0; }
svg { width: 100%; height: auto; }
svg text { font: 11px sans-serif; fill: #333; }
.grid { stroke: #e4e4e4; }
.mark { stroke: #333; stroke-dasharray: 5 4; }
.key { display: inline-block; width: 0.8em; height: 0.8em; border-radius: 50%; }
table { border-collapse: collapse; margin: 0 0 1em 0; }
td, th { border: 1px solid #ccc; padding: 0.2em 0.6em; text-align: right; }
td:first-child { text-align: left; }
code { font-size: 13px; }
)";
  const std::string name = escapeHtml(title);
  return fmt::format("<!DOCTYPE html>\n<html lang=\"en\">\n<head>\n<meta charset=\"utf-8\">\n"
                     "<title>{}</title>\n<style>\n{}</style>\n</head>\n<body>\n<h1>{}</h1>\n",
                     name, kStyle, name);
}

std::string escapeHtml(const std::string &text) {
  std::string out;
  for (const char c : text)
    switch (c) {
    case '&':
      out += "&amp;";
      break;
    case '<':
      out += "&lt;";
      break;
    case '>':
      out += "&gt;";
      break;
    case '"':
      out += "&quot;";
      break;
    default:
      out += c;
    }
  return out;
}

} // namespace mpf::bench
