#include "tools/mpfc/lsp/rename.h"

#include "dsl/syntax/spelling.h"
#include "tools/mpfc/lsp/navigate.h"

#include <algorithm>
#include <fmt/format.h>
#include <map>
#include <set>

namespace mpf::lsp {

namespace {

[[noreturn]] void refuse(std::string why) {
  throw Refusal{ErrorCode::RequestFailed, std::move(why)};
}

/// The changed places of one text.
struct ChangedText {
  std::shared_ptr<const SourceBuffer> before, after;
  std::vector<SourceRange> ranges;  ///< in `before`, ascending
  std::vector<std::string> spelled; ///< the new text of each
  std::set<uint32_t> places;        ///< where these begin in `after`
};
using ChangedTexts = std::map<std::string, ChangedText>; ///< by path

/// Strings are labels, so they stay strings.
std::string spelledLike(std::string_view before, const std::string &name) {
  return before.starts_with('"') ? spellString(name) : spellName(name);
}

ChangedTexts changedTexts(const std::vector<PlacedUse> &uses, const std::string &newName) {
  ChangedTexts texts;
  for (const PlacedUse &use : uses) {
    ChangedText &changed = texts[use.source->name()];
    changed.before = use.source;
    const SourceRange range = use.use.range;
    changed.ranges.push_back(range);
    changed.spelled.push_back(
        spelledLike(use.source->text().substr(range.begin, range.end - range.begin), newName));
  }
  for (auto &[path, changed] : texts) {
    std::string text;
    uint32_t end = 0;
    for (size_t i = 0; i < changed.ranges.size(); ++i) {
      text += changed.before->text().substr(end, changed.ranges[i].begin - end);
      changed.places.insert(static_cast<uint32_t>(text.size()));
      text += changed.spelled[i];
      end = changed.ranges[i].end;
    }
    text += changed.before->text().substr(end);
    changed.after = std::make_shared<const SourceBuffer>(path, std::move(text));
  }
  return texts;
}

/// Returns whether the places in the texts of `index` that mean what stands at the first changed
/// place are the changed ones and no others.
bool meansTheSame(const NameIndex &index, const ChangedTexts &changed) {
  std::optional<uint32_t> renamed;
  size_t expected = 0;
  for (const NameIndex::Text &text : index.texts)
    if (const auto found = changed.find(text.source->name()); found != changed.end()) {
      expected += found->second.places.size();
      const NameUse *use = NameIndex::useAt(text, *found->second.places.begin());
      if (!renamed && use != nullptr)
        renamed = use->entry;
    }
  size_t same = 0;
  for (const NameIndex::Text &text : index.texts) {
    const auto found = changed.find(text.source->name());
    for (const NameUse &use : text.uses)
      if (use.entry == renamed) {
        if (found == changed.end() || !found->second.places.contains(use.range.begin))
          return false;
        ++same;
      }
  }
  return same == expected;
}

/// Checks the changed texts in each open model that has one of them.
void checkModels(Session &session, const ChangedTexts &changed, const std::string &newName) {
  std::map<std::string, std::shared_ptr<const SourceBuffer>> texts;
  for (const auto &[path, text] : changed)
    texts[path] = text.after;
  for (const auto &[uri, document] : session.documents().all()) {
    const Analysis &before = session.analysisOf(document);
    if (std::ranges::none_of(before.index.texts, [&](const NameIndex::Text &text) {
          return changed.contains(text.source->name());
        }))
      continue;
    const auto after = session.analyseWith(document.path, texts);
    if (!after->stopped.empty())
      refuse(fmt::format("the changed text is not checked: {}", after->stopped));
    const size_t errors = before.diagnostics.errorCount();
    if (after->diagnostics.errorCount() > errors)
      for (const Diagnostic &diagnostic : after->diagnostics.all())
        if (diagnostic.severity == Severity::Error && errors == 0)
          refuse(fmt::format("with the name {}: {}", newName, diagnostic.message));
    if (after->diagnostics.errorCount() > errors)
      refuse(fmt::format("the name {} makes new errors", newName));
    if (!meansTheSame(after->index, changed))
      refuse(fmt::format("with the name {} some places would mean something else", newName));
  }
}

} // namespace

JsonText prepareRename(Session &session, const Document &document, Position position) {
  const auto found = session.find(document, position);
  if (!found || found->entry->isImported)
    return nullptr;
  const TextPositions positions(document.text->text(), session.unit());
  return {{"range", session.jsonOf(positions, found->use->range)},
          {"placeholder", found->entry->name}};
}

JsonText rename(Session &session, const Document &document, Position position,
                const std::string &newName) {
  const auto found = session.find(document, position);
  if (!found)
    refuse("no name of the model is here");
  const NameEntry entry = *found->entry;
  if (entry.isImported)
    refuse(fmt::format("{} is declared in a file of another format", entry.name));
  if (newName.empty())
    refuse("the new name is empty");
  if (entry.kind == NameKind::Label)
    for (const NameIndex::Text &text : found->analysis->index.texts)
      for (const ast::Name &word : text.unknown)
        if (word.text == entry.name)
          refuse(fmt::format("line {} has {} where the editor cannot tell its domain",
                             text.source->locate(word.range.begin).line, entry.name));
  // A name in quotes, as the user may type it, is the name inside.
  const bool isQuoted = newName.size() > 2 && newName.front() == '`' && newName.back() == '`';
  const std::string plain = isQuoted ? unspell(newName) : newName;
  const ChangedTexts changed = changedTexts(usesOf(session, *found), plain);
  checkModels(session, changed, plain);
  JsonText changes = JsonText::object();
  for (const auto &[path, text] : changed) {
    const TextPositions positions(text.before->text(), session.unit());
    JsonText edits = JsonText::array();
    for (size_t i = 0; i < text.ranges.size(); ++i)
      edits.push_back(
          {{"range", session.jsonOf(positions, text.ranges[i])}, {"newText", text.spelled[i]}});
    changes.add(session.uriOfPath(path), std::move(edits));
  }
  return {{"changes", std::move(changes)}};
}

} // namespace mpf::lsp
