#include "tools/mpfc/lsp/session.h"

namespace mpf::lsp {

std::string Session::open(const Message &message) {
  std::string problem = documents_.open(*message.uri, message.version, message.text);
  if (problem.empty())
    markChanged(pathOf(*message.uri));
  return problem;
}

std::string Session::change(const Message &message) {
  std::string problem = documents_.change(*message.uri, message.version, message.changes, unit_);
  if (problem.empty())
    markChanged(pathOf(*message.uri));
  return problem;
}

void Session::close(const std::string &uri) {
  markChanged(pathOf(uri)); // texts that include it read the file now
  documents_.close(uri);
  analyses_.erase(uri);
  lastRead_.erase(uri);
  unpublished_.erase(uri);
}

void Session::forgetFiles() {
  for (const auto &[uri, read] : lastRead_)
    if (!read.empty()) {
      analyses_.erase(uri);
      unpublished_.insert(uri);
    }
}

/// The analyses that depend on the text are out of date, and so are the messages of all texts that
/// these include.
void Session::markChanged(const std::string &path) {
  for (const auto &[uri, document] : documents_.all()) {
    const auto &read = lastRead_[uri];
    if (document.path != path && !read.contains(path))
      continue;
    analyses_.erase(uri);
    unpublished_.insert(uri);
    for (const auto &[otherUri, other] : documents_.all())
      if (read.contains(other.path))
        unpublished_.insert(otherUri);
  }
}

const Analysis &Session::analysisOf(const Document &document) {
  std::unique_ptr<Analysis> &known = analyses_[document.uri];
  if (known == nullptr) {
    known = analyse(document.text, [this](const std::string &path) {
      const Document *open = documents_.findPath(path);
      return open == nullptr ? nullptr : open->text;
    });
    std::set<std::string> &read = lastRead_[document.uri];
    for (const auto &[uri, other] : documents_.all())
      if (read.contains(other.path) != known->read.contains(other.path))
        unpublished_.insert(uri);
    read = known->read;
  }
  return *known;
}

std::vector<const Analysis *> Session::analysesWith(const Document &document) {
  std::vector<const Analysis *> with = {&analysisOf(document)};
  for (const auto &[uri, other] : documents_.all())
    if (uri != document.uri)
      if (const Analysis &analysis = analysisOf(other); analysis.index.text(document.path))
        with.push_back(&analysis);
  return with;
}

std::optional<FoundName> Session::find(const Document &document, Position position) {
  const uint32_t offset = TextPositions(document.text->text(), unit_).offsetOf(position);
  for (const Analysis *analysis : analysesWith(document)) {
    const NameIndex::Text *text = analysis->index.text(document.path);
    if (const NameUse *use = text ? NameIndex::useAt(*text, offset) : nullptr)
      return FoundName{analysis, text, use, &analysis->index.entries[use->entry]};
  }
  return std::nullopt;
}

std::unique_ptr<Analysis> Session::analyseWith(
    const std::string &path,
    const std::map<std::string, std::shared_ptr<const SourceBuffer>> &changed) const {
  const OpenTexts texts = [&](const std::string &asked) -> std::shared_ptr<const SourceBuffer> {
    if (const auto found = changed.find(asked); found != changed.end())
      return found->second;
    const Document *open = documents_.findPath(asked);
    return open == nullptr ? nullptr : open->text;
  };
  return analyse(texts(path), texts);
}

const Document *Session::takeUnpublished() {
  while (!unpublished_.empty()) {
    const std::string uri = *unpublished_.begin();
    unpublished_.erase(unpublished_.begin());
    if (const Document *document = documents_.find(uri))
      return document;
  }
  return nullptr;
}

JsonText Session::jsonOf(Position position) const {
  return {{"line", position.line}, {"character", position.character}};
}

JsonText Session::jsonOf(const TextPositions &positions, SourceRange range) const {
  const PositionRange shown = positions.rangeOf(range);
  return {{"start", jsonOf(shown.start)}, {"end", jsonOf(shown.end)}};
}

JsonText Session::locationOf(const SourcePlace &place) const {
  const TextPositions positions(place.buffer->text(), unit_);
  return {{"uri", uriOfPath(place.buffer->name())}, {"range", jsonOf(positions, place.range)}};
}

std::string Session::uriOfPath(const std::string &path) const {
  const Document *open = documents_.findPath(path);
  return open != nullptr ? open->uri : uriOf(path);
}

} // namespace mpf::lsp
