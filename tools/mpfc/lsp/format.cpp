#include "tools/mpfc/lsp/format.h"

#include "dsl/syntax/format_source.h"

#include <algorithm>
#include <string_view>

namespace mpf::lsp {

namespace {

/// Returns how many bytes both texts have in common at their starts, in whole lines.
size_t commonStart(std::string_view a, std::string_view b) {
  const auto end = std::ranges::mismatch(a, b).in1;
  const std::string_view same = a.substr(0, static_cast<size_t>(end - a.begin()));
  const size_t lineEnd = same.rfind('\n');
  return lineEnd == std::string_view::npos ? 0 : lineEnd + 1;
}

/// Returns how many bytes both texts have in common at their ends, in whole lines.
size_t commonEnd(std::string_view a, std::string_view b) {
  size_t count = 0, lines = 0;
  while (count < std::min(a.size(), b.size()) && a[a.size() - 1 - count] == b[b.size() - 1 - count])
    if (const char c = a[a.size() - 1 - count++]; c == '\n')
      lines = count - 1; // the lines behind this end
  return lines;
}

} // namespace

JsonText format(Session &session, const Document &document) {
  Diagnostics diagnostics;
  const std::optional<std::string> formatted = formatSource(document.text, diagnostics);
  if (!formatted)
    return nullptr;
  JsonText edits = JsonText::array();
  const std::string_view before = document.text->text(), after = *formatted;
  if (before == after)
    return edits;
  const size_t start = commonStart(before, after);
  const size_t end = commonEnd(before.substr(start), after.substr(start));
  const TextPositions positions(before, session.unit());
  edits.push_back(
      {{"range", session.jsonOf(positions, {static_cast<uint32_t>(start),
                                            static_cast<uint32_t>(before.size() - end)})},
       {"newText", after.substr(start, after.size() - start - end)}});
  return edits;
}

} // namespace mpf::lsp
