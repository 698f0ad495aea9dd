#include "tools/mpfc/lsp/hover.h"

#include "dsl/support/number_text.h"
#include "dsl/syntax/spelling.h"
#include "tools/mpfc/lsp/language_words.h"

#include <algorithm>
#include <fmt/format.h>
#include <string_view>

namespace mpf::lsp {

namespace {

constexpr size_t kMaxShown = 400; ///< bytes of a text of the model

std::string labelsText(const DomainInfo &domain) {
  constexpr size_t kMaxLabels = 12;
  if (domain.labels.empty())
    return fmt::format("{}", domain.extent);
  std::string text = "{ ";
  for (size_t i = 0; i < std::min(domain.labels.size(), kMaxLabels); ++i)
    text += (i == 0 ? "" : ", ") + spellName(domain.labels[i]);
  if (domain.labels.size() > kMaxLabels)
    text += fmt::format(", ... {} in all", domain.labels.size());
  return text + " }";
}

template <class Lengths> std::string lengthsText(const Lengths &lengths) {
  std::string text;
  for (const auto length : lengths)
    text += fmt::format("[{}]", length);
  return text;
}

std::string paramText(const ParamSymbol &param, const std::string &name) {
  if (param.slot)
    return fmt::format("param {}  # {}", name, param.isSwept ? "swept" : "set by cases");
  return fmt::format("param {} = {}", name, formatDouble(param.value));
}

std::string arrayText(const NumberArray &array, const std::string &name) {
  std::string text = fmt::format("param {}{}", name, lengthsText(array.shape));
  if (array.isRagged)
    return text + "  # rows of different lengths";
  constexpr size_t kMaxValues = 8;
  if (array.shape.size() != 1 || array.values->size() > kMaxValues)
    return text;
  std::string values;
  for (const double value : *array.values)
    values += (values.empty() ? "" : ", ") + formatDouble(value);
  return fmt::format("{} = [{}]", text, values);
}

/// Returns what the checker knows about a name that it declared; empty: nothing.
std::string checkedText(const Analysis &analysis, const NameEntry &entry) {
  const Symbol *symbol = analysis.names.symbols.find(entry.name);
  if (symbol == nullptr)
    return {};
  const std::string name = spellName(entry.name);
  if (const auto *variable = std::get_if<VariableSymbol>(&symbol->what)) {
    const DomainPtr &domain = analysis.names.domains[variable->first.index()];
    return fmt::format("var {}{} : {}", name, lengthsText(variable->dims), labelsText(*domain));
  }
  if (const auto *param = std::get_if<ParamSymbol>(&symbol->what))
    return paramText(*param, name);
  if (const auto *array = std::get_if<ArrayPtr>(&symbol->what))
    return arrayText(**array, name);
  if (const auto *domain = std::get_if<DomainPtr>(&symbol->what))
    return fmt::format("domain {} = {}", name, labelsText(**domain));
  return {};
}

/// Returns the text of a place, cut.
std::string writtenText(const NameEntry &entry, SourceRange range) {
  const std::string_view text = entry.place.buffer->text();
  range.end = std::min(range.end, static_cast<uint32_t>(text.size()));
  std::string written(text.substr(range.begin, range.end - range.begin));
  if (written.size() > kMaxShown) {
    size_t end = kMaxShown;
    while (end > 0 && (static_cast<unsigned char>(written[end]) & 0xc0) == 0x80)
      --end;
    written = written.substr(0, end) + " ...";
  }
  return written;
}

/// Returns the number of a label's state.
size_t stateOf(const NameIndex &index, const NameEntry &label) {
  const auto own = static_cast<size_t>(&label - index.entries.data());
  size_t before = 0;
  for (const auto &[name, entry] : index.labels[*label.labels])
    before += entry < own ? 1 : 0;
  return before;
}

/// Returns the comment in the lines directly above the declaration, and that at its own line.
std::string commentOf(const NameEntry &entry) {
  if (entry.isImported)
    return {};
  const SourceBuffer &buffer = *entry.place.buffer;
  const std::string_view text = buffer.text();
  std::string comment;
  size_t start = entry.statement.begin - (buffer.locate(entry.statement.begin).column - 1);
  while (start > 0) {
    const std::string_view line = buffer.lineAt(static_cast<uint32_t>(start - 1));
    const size_t first = line.find_first_not_of(" \t");
    if (first == std::string_view::npos || line[first] != '#')
      break;
    const size_t words = std::min(line.find_first_not_of("# \t", first), line.size());
    comment = fmt::format("{}{}{}", line.substr(words), comment.empty() ? "" : "\n", comment);
    start = static_cast<size_t>(line.data() - text.data());
  }
  return comment.substr(0, kMaxShown * 4);
}

std::string aboutName(const Analysis &analysis, const NameEntry &entry) {
  std::string text = fmt::format("```mpf\n{}\n```\n", signatureOf(analysis, entry));
  if (entry.isImported)
    text += fmt::format("\nfrom {}\n", writtenText(entry, entry.place.range));
  else if (entry.kind == NameKind::Label)
    text += fmt::format("\nlabel of state {}\n", stateOf(analysis.index, entry));
  else
    text += fmt::format("\n{}\n", nameKindWord(entry.kind));
  if (const std::string comment = commentOf(entry); !comment.empty())
    text += fmt::format("\n{}\n", comment);
  return text;
}

JsonText hoverOf(const Session &session, const TextPositions &positions, SourceRange range,
                 const std::string &text) {
  return {{"contents", JsonText{{"kind", "markdown"}, {"value", text}}},
          {"range", session.jsonOf(positions, range)}};
}

} // namespace

std::string signatureOf(const Analysis &analysis, const NameEntry &entry) {
  switch (entry.kind) {
  case NameKind::Variable:
  case NameKind::Param:
  case NameKind::Domain:
    if (std::string text = checkedText(analysis, entry); !text.empty())
      return text;
    return writtenText(entry, entry.isImported ? entry.whole : entry.statement);
  case NameKind::Label:
    return spellName(entry.name);
  default:
    return writtenText(entry, entry.whole);
  }
}

JsonText hover(Session &session, const Document &document, Position position) {
  const TextPositions positions(document.text->text(), session.unit());
  if (const auto found = session.find(document, position))
    return hoverOf(session, positions, found->use->range,
                   aboutName(*found->analysis, *found->entry));
  const std::string_view text = document.text->text();
  uint32_t begin = positions.offsetOf(position);
  while (begin > 0 && isNameChar(text[begin - 1]))
    --begin;
  const SourceRange range = nameAt(text, begin);
  std::string about;
  for (const LanguageWord &row : languageWords())
    if (row.word == text.substr(range.begin, range.end - range.begin))
      about += fmt::format("```mpf\n{}\n```\n\n{}\n", row.form, row.meaning);
  return about.empty() ? JsonText() : hoverOf(session, positions, range, about);
}

} // namespace mpf::lsp
