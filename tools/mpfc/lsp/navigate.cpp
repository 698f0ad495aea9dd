#include "tools/mpfc/lsp/navigate.h"

#include <algorithm>
#include <map>
#include <utility>

namespace mpf::lsp {

namespace {

/// Returns the file link at the offset; null: there is none.
const FileLink *linkAt(const NameIndex::Text &text, uint32_t offset) {
  const auto found = std::ranges::find_if(text.links, [offset](const FileLink &link) {
    return link.range.begin <= offset && offset <= link.range.end;
  });
  return found == text.links.end() ? nullptr : &*found;
}

/// SymbolKind of LSP for each NameKind.
int symbolKind(NameKind kind) {
  switch (kind) {
  case NameKind::Model:
    return 2; // Module
  case NameKind::Domain:
    return 10; // Enum
  case NameKind::Label:
    return 22; // EnumMember
  case NameKind::Param:
    return 14; // Constant
  case NameKind::Function:
    return 12; // Function
  case NameKind::Factor:
    return 8; // Field
  case NameKind::Query:
    return 24; // Event
  default:
    return 13; // Variable
  }
}

struct OutlineItem {
  std::string text;
  int kind = 0; ///< SymbolKind
  std::string detail;
  SourceRange whole, name;
};

/// Adds the tables of `prob`, which have no name of their own: P(x | y).
void addTables(const std::vector<ast::Decl> &decls, std::string_view text,
               std::vector<OutlineItem> &items) {
  for (const ast::Decl &decl : decls)
    if (const auto *table = std::get_if<ast::ProbDecl>(&decl.node))
      items.push_back(
          {std::string(text.substr(table->head.begin, table->head.end - table->head.begin)),
           symbolKind(NameKind::Factor), "table", decl.range, table->head});
    else if (const auto *loop = std::get_if<ast::ForDecl>(&decl.node))
      addTables(loop->body, text, items);
}

constexpr const char *kTokenTypes[] = {"variable",   "parameter", "enum",
                                       "enumMember", "function",  "property"};
constexpr const char *kTokenModifiers[] = {"declaration", "readonly"};

/// The place in kTokenTypes for each NameKind, and whether its names are constants.
std::pair<uint32_t, bool> tokenOf(NameKind kind) {
  switch (kind) {
  case NameKind::Domain:
    return {2, false};
  case NameKind::Label:
    return {3, true};
  case NameKind::Param:
    return {0, true};
  case NameKind::Function:
    return {4, false};
  case NameKind::Argument:
  case NameKind::Index:
  case NameKind::Binding:
    return {1, false};
  case NameKind::Model:
  case NameKind::Factor:
  case NameKind::Query:
    return {5, false};
  case NameKind::Variable:
    break;
  }
  return {0, false};
}

} // namespace

JsonText definition(Session &session, const Document &document, Position position) {
  if (const auto found = session.find(document, position))
    return session.locationOf(found->entry->place);
  const NameIndex::Text &text = session.analysisOf(document).index.texts.front();
  const uint32_t offset = TextPositions(document.text->text(), session.unit()).offsetOf(position);
  const FileLink *link = linkAt(text, offset);
  if (link == nullptr)
    return nullptr;
  const JsonText start = session.jsonOf(Position{});
  return {{"uri", session.uriOfPath(pathFrom(*document.text, link->path))},
          {"range", JsonText{{"start", start}, {"end", start}}}};
}

std::vector<PlacedUse> usesOf(Session &session, const FoundName &name) {
  const auto isSame = [&](const NameEntry &other) {
    const SourcePlace &place = name.entry->place;
    return other.kind == name.entry->kind && other.name == name.entry->name &&
           other.place.range.begin == place.range.begin &&
           other.place.buffer->name() == place.buffer->name();
  };
  std::map<std::pair<std::string, uint32_t>, PlacedUse> uses;
  const auto addFrom = [&](const Analysis &analysis) {
    for (const NameIndex::Text &text : analysis.index.texts)
      for (const NameUse &use : text.uses)
        if (isSame(analysis.index.entries[use.entry]))
          uses.try_emplace({text.source->name(), use.range.begin}, PlacedUse{text.source, use});
  };
  addFrom(*name.analysis);
  for (const auto &[uri, other] : session.documents().all())
    if (const Analysis &analysis = session.analysisOf(other); &analysis != name.analysis)
      addFrom(analysis);
  std::vector<PlacedUse> list;
  for (auto &[place, use] : uses)
    list.push_back(std::move(use));
  return list;
}

JsonText references(Session &session, const Document &document, Position position,
                    bool withDeclaration) {
  JsonText list = JsonText::array();
  const auto found = session.find(document, position);
  if (!found)
    return list;
  std::optional<TextPositions> positions;
  const SourceBuffer *last = nullptr;
  for (const PlacedUse &use : usesOf(session, *found)) {
    if (use.use.isDeclaration && !withDeclaration)
      continue;
    if (std::exchange(last, use.source.get()) != use.source.get())
      positions.emplace(use.source->text(), session.unit());
    list.push_back({{"uri", session.uriOfPath(use.source->name())},
                    {"range", session.jsonOf(*positions, use.use.range)}});
  }
  return list;
}

JsonText highlights(Session &session, const Document &document, Position position) {
  JsonText list = JsonText::array();
  const auto found = session.find(document, position);
  if (!found)
    return list;
  const TextPositions positions(document.text->text(), session.unit());
  for (const NameUse &use : found->text->uses)
    if (use.entry == found->use->entry)
      list.push_back({{"range", session.jsonOf(positions, use.range)},
                      {"kind", use.isDeclaration ? 3 : 2}}); // Write, Read
  return list;
}

JsonText symbols(Session &session, const Document &document) {
  const Analysis &analysis = session.analysisOf(document);
  std::vector<OutlineItem> items;
  for (const NameEntry &entry : analysis.index.entries)
    if (!entry.isLocal() && !entry.isImported && entry.kind != NameKind::Label &&
        entry.place.buffer == document.text)
      items.push_back({entry.name.empty() ? "``" : entry.name, symbolKind(entry.kind),
                       std::string(nameKindWord(entry.kind)), entry.whole, entry.place.range});
  addTables(analysis.file->decls, document.text->text(), items);
  std::ranges::sort(items, {}, [](const OutlineItem &item) { return item.name.begin; });
  const TextPositions positions(document.text->text(), session.unit());
  JsonText list = JsonText::array();
  for (const OutlineItem &item : items)
    list.push_back({{"name", item.text},
                    {"kind", item.kind},
                    {"detail", item.detail},
                    {"range", session.jsonOf(positions, item.whole)},
                    {"selectionRange", session.jsonOf(positions, item.name)}});
  return list;
}

JsonText links(Session &session, const Document &document) {
  const TextPositions positions(document.text->text(), session.unit());
  JsonText list = JsonText::array();
  for (const FileLink &link : session.analysisOf(document).index.texts.front().links)
    list.push_back({{"range", session.jsonOf(positions, link.range)},
                    {"target", session.uriOfPath(pathFrom(*document.text, link.path))}});
  return list;
}

JsonText tokenLegend() {
  JsonText types = JsonText::array(), modifiers = JsonText::array();
  for (const char *type : kTokenTypes)
    types.push_back(type);
  for (const char *modifier : kTokenModifiers)
    modifiers.push_back(modifier);
  return {{"tokenTypes", std::move(types)}, {"tokenModifiers", std::move(modifiers)}};
}

JsonText tokens(Session &session, const Document &document) {
  const Analysis &analysis = *session.analysesWith(document).back();
  const NameIndex::Text *text = analysis.index.text(document.path);
  const TextPositions positions(document.text->text(), session.unit());
  JsonText data = JsonText::array();
  Position last;
  for (const NameUse &use : text->uses) {
    const PositionRange range = positions.rangeOf(use.range);
    const auto [type, isConstant] = tokenOf(analysis.index.entries[use.entry].kind);
    const bool isSameLine = range.start.line == last.line;
    data.push_back(range.start.line - last.line);
    data.push_back(range.start.character - (isSameLine ? last.character : 0));
    data.push_back(range.end.character - range.start.character);
    data.push_back(type);
    data.push_back((use.isDeclaration ? 1U : 0U) | (isConstant ? 2U : 0U));
    last = range.start;
  }
  return {{"data", std::move(data)}};
}

} // namespace mpf::lsp
