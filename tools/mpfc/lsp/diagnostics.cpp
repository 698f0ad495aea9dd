#include "tools/mpfc/lsp/diagnostics.h"

#include "dsl/source/suggest.h"
#include "dsl/syntax/spelling.h"
#include "dsl/syntax/token.h"

#include <algorithm>
#include <fmt/format.h>
#include <set>
#include <span>
#include <string>
#include <utility>

namespace mpf::lsp {

namespace {

/// Whether the text may be right, with greater limits than an editor has.
bool isLimit(const Analysis &analysis, const DiagnosticGroup &group) {
  const auto place = static_cast<size_t>(&group.front() - analysis.diagnostics.all().data());
  return std::ranges::count(analysis.limitErrors, place) != 0;
}

/// Returns the place of an `include` in `text` through which the file `path` is read. `seen` are
/// the texts that were searched before.
std::optional<SourceRange> includeOf(const NameIndex &index, const NameIndex::Text &text,
                                     const std::string &path,
                                     std::set<const NameIndex::Text *> &seen) {
  if (!seen.insert(&text).second)
    return std::nullopt;
  for (const FileLink &link : text.links) {
    const std::string linked = pathFrom(*text.source, link.path);
    const NameIndex::Text *inner = link.isModel ? index.text(linked) : nullptr;
    if (linked == path || (inner != nullptr && includeOf(index, *inner, path, seen)))
      return link.range;
  }
  return std::nullopt;
}

/// Returns where a message is shown in the file `path`: its own place, that of a note, or the
/// `include` through which the text with its place is read. `others`: whether texts of its other
/// places are open, where it is shown instead.
std::optional<SourceRange> shownAt(const Session &session, const Analysis &analysis,
                                   const DiagnosticGroup &group, const std::string &path) {
  for (const Diagnostic &part : group.parts)
    if (part.place.buffer && part.place.buffer->name() == path)
      return part.place.range;
  if (analysis.source->name() != path)
    return std::nullopt;
  const auto &buffer = group.front().place.buffer;
  if (buffer == nullptr)
    return SourceRange{};
  if (session.documents().findPath(buffer->name()) != nullptr)
    return std::nullopt;
  std::set<const NameIndex::Text *> seen;
  return includeOf(analysis.index, analysis.index.texts.front(), buffer->name(), seen)
      .value_or(SourceRange{});
}

/// Severities of LSP: 1 error, 2 warning, 3 information.
int severityOf(const DiagnosticGroup &group, bool isLimit) {
  if (group.front().severity == Severity::Error)
    return isLimit ? 3 : 1;
  return group.front().severity == Severity::Note ? 3 : 2;
}

std::string messageOf(const DiagnosticGroup &group, bool isLimit) {
  const Diagnostic &first = group.front();
  std::string text = first.message;
  if (isLimit)
    text += "; the editor checks smaller models than mpfc";
  if (!first.hint.empty())
    text += fmt::format("\nhint: {}", first.hint);
  for (const Diagnostic &note : group.parts.subspan(1))
    if (note.place.buffer == nullptr)
      text += fmt::format("\nnote: {}", note.message);
  if (const std::string rest = foldedText(group); !rest.empty())
    text += '\n' + rest;
  return text;
}

JsonText shown(const Session &session, const TextPositions &positions, const DiagnosticGroup &group,
               bool isLimit, SourceRange range, const std::string &path) {
  JsonText json{{"range", session.jsonOf(positions, range)},
                {"severity", severityOf(group, isLimit)},
                {"source", "mpfc"},
                {"message", messageOf(group, isLimit)}};
  JsonText related = JsonText::array();
  bool isRelated = false;
  for (const Diagnostic &part : group.parts) {
    const auto &buffer = part.place.buffer;
    if (buffer == nullptr || (&part == &group.front() && buffer->name() == path))
      continue;
    related.push_back({{"location", session.locationOf(part.place)}, {"message", part.message}});
    isRelated = true;
  }
  if (isRelated)
    json.add("relatedInformation", std::move(related));
  return json;
}

/// Returns the analysis whose messages the text shows.
const Analysis &judgeOf(Session &session, const Document &document) {
  const std::vector<const Analysis *> with = session.analysesWith(document);
  return with.size() > 1 ? *with[1] : *with[0];
}

/// Returns the text that a hint replaces: the name at the place, or what the message marks.
SourceRange replacedBy(std::string_view text, SourceRange marked) {
  const bool isName =
      marked.begin < text.size() && (isNameStart(text[marked.begin]) || text[marked.begin] == '`');
  return isName ? nameAt(text, marked.begin) : marked;
}

} // namespace

JsonText diagnosticsOf(Session &session, const Document &document) {
  const Analysis &analysis = judgeOf(session, document);
  const TextPositions positions(document.text->text(), session.unit());
  JsonText list = JsonText::array();
  for (const DiagnosticGroup &group : foldedGroups(analysis.diagnostics))
    if (const auto range = shownAt(session, analysis, group, document.path))
      list.push_back(
          shown(session, positions, group, isLimit(analysis, group), *range, document.path));
  const auto say = [&](std::string text) {
    const Diagnostic note{Severity::Note, {}, std::move(text), {}};
    list.push_back(shown(session, positions, {std::span(&note, 1)}, false, {}, document.path));
  };
  if (analysis.source == document.text) {
    if (const std::string rest = analysis.diagnostics.notKept(); !rest.empty())
      say(rest);
    if (!analysis.stopped.empty())
      say("not checked to the end: " + analysis.stopped);
  }
  return {{"uri", document.uri}, {"version", document.version}, {"diagnostics", std::move(list)}};
}

JsonText codeActions(Session &session, const Document &document, PositionRange range) {
  const Analysis &analysis = judgeOf(session, document);
  const std::string_view text = document.text->text();
  const TextPositions positions(text, session.unit());
  const uint32_t begin = positions.offsetOf(range.start), end = positions.offsetOf(range.end);
  JsonText actions = JsonText::array();
  for (const DiagnosticGroup &group : foldedGroups(analysis.diagnostics)) {
    const Diagnostic &first = group.front();
    const std::string_view word = suggestedBy(first.hint);
    if (word.empty() || !first.place.buffer || first.place.buffer->name() != document.path ||
        first.place.range.begin > end || first.place.range.end < begin)
      continue;
    const SourceRange replaced = replacedBy(text, first.place.range);
    const bool isWord =
        text[replaced.begin] == '"' || reservedWord(word) || !isNameStart(word.front());
    const std::string written = text[replaced.begin] == '"' ? spellString(word)
                                : isWord                    ? std::string(word)
                                                            : spellName(word);
    JsonText edits = JsonText::array();
    edits.push_back({{"range", session.jsonOf(positions, replaced)}, {"newText", written}});
    JsonText diagnostics = JsonText::array();
    diagnostics.push_back(shown(session, positions, group, isLimit(analysis, group),
                                first.place.range, document.path));
    JsonText changes = JsonText::object();
    changes.add(document.uri, std::move(edits));
    actions.push_back({{"title", fmt::format("Replace by {}", written)},
                       {"kind", "quickfix"},
                       {"isPreferred", true},
                       {"diagnostics", std::move(diagnostics)},
                       {"edit", JsonText{{"changes", std::move(changes)}}}});
  }
  return actions;
}

} // namespace mpf::lsp
