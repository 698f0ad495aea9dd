// The texts that are open in the editor. They win over the files on the disk.
#pragma once

#include "dsl/source/source_buffer.h"
#include "tools/mpfc/lsp/message.h"

#include <map>
#include <memory>
#include <string>

namespace mpf::lsp {

/// Returns the path that a URI names: "file:///a/b%20c.mpf" -> "/a/b c.mpf". A URI of another
/// scheme, as editors have for texts without a file, is returned as it is.
std::string pathOf(const std::string &uri);
/// Returns the URI of a path.
std::string uriOf(const std::string &path);

struct Document {
  std::string uri; ///< as the client spells it
  std::string path;
  int64_t version = 0;
  std::shared_ptr<const SourceBuffer> text; ///< named by its path
};

/// Not thread-safe.
class Documents {
public:
  static constexpr size_t kMaxBytes = size_t{256} << 20; ///< of all texts

  /// Opens a text, or replaces one. Returns nothing, or why it cannot be kept.
  std::string open(const std::string &uri, int64_t version, std::string text);
  /// Applies the changes one after the other; the text must be open. Returns as open().
  std::string change(const std::string &uri, int64_t version,
                     const std::vector<TextChange> &changes, PositionUnit unit);
  void close(const std::string &uri);

  const Document *find(const std::string &uri) const;
  const Document *findPath(const std::string &path) const;
  const std::map<std::string, Document> &all() const { return byUri_; }

private:
  std::map<std::string, Document> byUri_;
};

} // namespace mpf::lsp
