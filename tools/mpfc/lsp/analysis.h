// The messages of the checker about an open text, and the index of its names.
#pragma once

#include "dsl/model/build/build_model.h"
#include "dsl/model/names/name_index.h"
#include "dsl/source/diagnostic.h"

#include <functional>
#include <memory>
#include <set>
#include <string>

namespace mpf::lsp {

struct Analysis {
  std::shared_ptr<const SourceBuffer> source;
  std::unique_ptr<ast::File> file;
  Diagnostics diagnostics{200}; ///< as many as an editor shows at a time
  BuiltNames names;
  NameIndex index;
  std::set<std::string> read;      ///< paths of the files that it read, or tried to
  std::vector<size_t> limitErrors; ///< as BuiltNames::limitErrors, and of files that are too long
  std::string stopped;             ///< why the check did not end; empty: it did
};

/// Returns an open text by its path; null: none is open.
using OpenTexts = std::function<std::shared_ptr<const SourceBuffer>(const std::string &path)>;

/// Reads, checks and indexes a text by the language's own checker. Included texts that are open are
/// taken from the editor, others from the disk. Sizes are bounded so that an editor does not wait:
/// a model beyond them gets `limitErrors`, or `stopped`. Files must be regular
/// and have at most 4 MiB, 16 MiB in all, unpacked. Throws nothing but std::bad_alloc.
std::unique_ptr<Analysis> analyse(std::shared_ptr<const SourceBuffer> source,
                                  const OpenTexts &openTexts);

/// Returns the path of a file that `text` names, as the checker finds it.
std::string pathFrom(const SourceBuffer &text, const std::string &path);

} // namespace mpf::lsp
