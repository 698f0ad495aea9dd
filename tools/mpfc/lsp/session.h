// The state of one client: its open texts with their analyses, and what was agreed on.
#pragma once

#include "dsl/support/json_text.h"
#include "tools/mpfc/lsp/analysis.h"
#include "tools/mpfc/lsp/documents.h"
#include "tools/mpfc/lsp/positions.h"

#include <map>
#include <memory>
#include <optional>
#include <set>
#include <string>
#include <vector>

namespace mpf::lsp {

/// A name under the cursor.
struct FoundName {
  const Analysis *analysis = nullptr;
  const NameIndex::Text *text = nullptr;
  const NameUse *use = nullptr;
  const NameEntry *entry = nullptr;
};

/// Not thread-safe.
class Session {
public:
  const Documents &documents() const { return documents_; }
  PositionUnit unit() const { return unit_; }
  void setUnit(PositionUnit unit) { unit_ = unit; }

  /// Change the texts. They return nothing, or why a text cannot be kept.
  std::string open(const Message &message);
  std::string change(const Message &message);
  void close(const std::string &uri);
  /// Files on the disk have changed: texts that read files are checked again.
  void forgetFiles();

  /// Returns the analysis of an open text, made anew if a text it depends on has changed.
  const Analysis &analysisOf(const Document &document);
  /// Returns that of the text, then those of other open texts that include it.
  std::vector<const Analysis *> analysesWith(const Document &document);
  /// Returns the name at the position. An analysis of the text itself comes before others.
  std::optional<FoundName> find(const Document &document, Position position);
  /// Analyses a text as if the texts in `changed`, by path, were the open ones.
  std::unique_ptr<Analysis>
  analyseWith(const std::string &path,
              const std::map<std::string, std::shared_ptr<const SourceBuffer>> &changed) const;

  /// Returns a text whose messages are out of date, and counts it as current; null: there is none.
  const Document *takeUnpublished();

  JsonText jsonOf(Position position) const;
  JsonText jsonOf(const TextPositions &positions, SourceRange range) const;
  JsonText locationOf(const SourcePlace &place) const;
  std::string uriOfPath(const std::string &path) const;

private:
  void markChanged(const std::string &path);

  Documents documents_;
  PositionUnit unit_ = PositionUnit::Utf16;
  std::map<std::string, std::unique_ptr<Analysis>> analyses_; ///< by URI; null: out of date
  std::map<std::string, std::set<std::string>> lastRead_;     ///< by URI: files of the last one
  std::set<std::string> unpublished_;                         ///< URIs
};

} // namespace mpf::lsp
