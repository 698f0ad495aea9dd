#include "tools/mpfc/lsp/analysis.h"

#include "dsl/formats/model_files.h"
#include "dsl/model/names/index_names.h"
#include "dsl/support/check.h"
#include "dsl/support/error.h"
#include "dsl/support/files/file_input.h"
#include "dsl/syntax/parser.h"

#include <filesystem>
#include <fmt/format.h>
#include <system_error>
#include <utility>

namespace mpf::lsp {

namespace {

constexpr uint64_t kMaxFileBytes = uint64_t{4} << 20; ///< of a text, and of a file it names

/// Sizes that are checked in a small part of a second.
ModelLimits limitsOfEditor() {
  ModelLimits limits;
  limits.maxScopeEntries = uint64_t{1} << 21;
  limits.maxTableElems = uint64_t{1} << 22;
  limits.maxTotalElems = uint64_t{1} << 22;
  limits.maxTemplateSteps = uint64_t{1} << 17;
  limits.maxExpressionSteps = uint64_t{1} << 23;
  limits.maxExpandedSteps = uint64_t{1} << 18;
  limits.maxTotalExpanded = uint64_t{1} << 21;
  limits.maxQueryEntries = uint64_t{1} << 21;
  return limits;
}

/// Refuses a file that may not end, such as a pipe, or that is long. Pipes could be the client's.
void requireShort(const std::string &path) {
  std::error_code problem;
  const auto status = std::filesystem::status(path, problem);
  if (!std::filesystem::exists(status))
    return; // its reader says so
  if (!std::filesystem::is_regular_file(status))
    fail(ErrorKind::BadInput, "{}: no regular file, the editor does not read it", path);
  const uint64_t bytes = std::filesystem::file_size(path, problem);
  if (!problem && bytes > kMaxFileBytes)
    fail(ErrorKind::MemoryBound, "{} has {} bytes, the editor reads files of at most {}", path,
         bytes, kMaxFileBytes);
}

/// Arrays of short files alone.
class ShortArrays final : public ArraySource {
public:
  ShortArrays(std::unique_ptr<ArraySource> files, Analysis &analysis)
      : files_(std::move(files)), read_(analysis.read), tooLong_(analysis.limitErrors) {}

  std::shared_ptr<const ArrayFile> numbers(const ArrayRequest &request, Diagnostics &diagnostics,
                                           const SourcePlace &place) override {
    return isShort(request, diagnostics, place) ? files_->numbers(request, diagnostics, place)
                                                : nullptr;
  }
  std::optional<WordFile> words(const ArrayRequest &request, Diagnostics &diagnostics,
                                const SourcePlace &place) override {
    return isShort(request, diagnostics, place) ? files_->words(request, diagnostics, place)
                                                : std::nullopt;
  }

private:
  bool isShort(const ArrayRequest &request, Diagnostics &diagnostics, const SourcePlace &place) {
    read_.insert(request.path);
    try {
      requireShort(request.path);
    } catch (const Error &error) {
      if (error.kind() == ErrorKind::MemoryBound)
        tooLong_.push_back(diagnostics.all().size());
      diagnostics.report({Severity::Error, place, error.what(), {}});
      return false;
    }
    return true;
  }

  std::unique_ptr<ArraySource> files_;
  std::set<std::string> &read_;
  std::vector<size_t> &tooLong_;
};

ModelFiles filesOfEditor(const OpenTexts &openTexts, Analysis &analysis) {
  std::set<std::string> &read = analysis.read;
  ModelFiles files = filesOnDisk();
  const auto ifShort = [&read](auto reader) {
    return [&read, reader](const std::string &path, auto &&...rest) {
      read.insert(path);
      requireShort(path);
      return reader(path, std::forward<decltype(rest)>(rest)...);
    };
  };
  files.readText = [&openTexts, fromDisk = ifShort(files.readText),
                    &read](const std::string &path) {
    read.insert(path);
    const auto open = openTexts(path);
    return open ? std::string(open->text()) : fromDisk(path);
  };
  files.openArrays = [open = files.openArrays, &analysis] {
    return std::make_unique<ShortArrays>(open(), analysis);
  };
  files.openCases = ifShort(files.openCases);
  files.importModel = ifShort(files.importModel);
  return files;
}

void indexFiles(Analysis &analysis) {
  std::vector<const ast::File *> files = {analysis.file.get()};
  for (const auto &file : analysis.names.included)
    files.push_back(file.get());
  std::vector<ImportedNames> imports;
  for (const PlacedDecl &placed : analysis.names.decls)
    if (placed.imported)
      imports.push_back({{placed.source, std::get<ast::IncludeDecl>(placed.decl->node).path.range},
                         placed.imported});
  analysis.index = indexNames(files, imports);
}

} // namespace

std::unique_ptr<Analysis> analyse(std::shared_ptr<const SourceBuffer> source,
                                  const OpenTexts &openTexts) {
  auto analysis = std::make_unique<Analysis>();
  analysis->source = source;
  analysis->file = std::make_unique<ast::File>();
  analysis->file->source = source;
  if (source->text().size() > kMaxFileBytes) {
    analysis->stopped = fmt::format("the text has {} bytes, the editor checks at most {}",
                                    source->text().size(), kMaxFileBytes);
    return analysis;
  }
  BuildOptions options;
  options.limits = limitsOfEditor();
  options.files = filesOfEditor(openTexts, *analysis);
  try {
    analysis->file = parseFile(source, analysis->diagnostics);
    buildModel(*analysis->file, analysis->diagnostics, options, &analysis->names);
  } catch (const Error &error) {
    analysis->stopped = error.what();
  }
  const std::vector<size_t> &limits = analysis->names.limitErrors;
  analysis->limitErrors.insert(analysis->limitErrors.end(), limits.begin(), limits.end());
  indexFiles(*analysis);
  return analysis;
}

std::string pathFrom(const SourceBuffer &text, const std::string &path) {
  const std::filesystem::path relative(path);
  if (relative.is_absolute())
    return path;
  return (std::filesystem::path(text.name()).parent_path() / relative).lexically_normal().string();
}

} // namespace mpf::lsp
