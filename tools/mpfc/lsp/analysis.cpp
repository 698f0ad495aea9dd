#include "tools/mpfc/lsp/analysis.h"

#include "dsl/formats/model_files.h"
#include "dsl/model/names/index_names.h"
#include "dsl/support/check.h"
#include "dsl/support/error.h"
#include "dsl/support/files/input_stream.h"
#include "dsl/support/files/unpacker.h"
#include "dsl/syntax/parser.h"

#include <algorithm>
#include <filesystem>
#include <fmt/format.h>
#include <fstream>
#include <linux/magic.h>
#include <sys/vfs.h>
#include <system_error>
#include <utility>

namespace mpf::lsp {

namespace {

constexpr uint64_t kMaxFileBytes = uint64_t{4} << 20;  ///< of a text, and of a file it names
constexpr uint64_t kMaxReadBytes = uint64_t{16} << 20; ///< of all files of one analysis, unpacked

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

/// Whether the file is one of /proc or /sys, which may be regular, of size 0, and without an end.
bool isOfKernel(const std::string &path) {
  struct statfs system {};
  return ::statfs(path.c_str(), &system) == 0 &&
         (system.f_type == PROC_SUPER_MAGIC || system.f_type == SYSFS_MAGIC);
}

bool startsPacked(const std::string &path) {
  std::string start(kPackedStartBytes, '\0');
  std::ifstream file(path, std::ios::binary);
  file.read(start.data(), static_cast<std::streamsize>(start.size()));
  start.resize(static_cast<size_t>(file.gcount()));
  return isPacked(start) && !start.starts_with("PK"); // arrays of an archive have limits of entries
}

/// The files that one analysis reads, and how many bytes it may still read.
class ReadFiles {
public:
  explicit ReadFiles(std::set<std::string> &read) : read_(read) {}

  /// Counts the bytes of a file once. Refuses one that may not end, such as a pipe, which could be
  /// the client's, and one that is too long.
  void add(const std::string &path) {
    const bool isNew = read_.insert(path).second;
    std::error_code problem;
    const auto status = std::filesystem::status(path, problem);
    if (!std::filesystem::exists(status))
      return; // its reader says so
    if (!std::filesystem::is_regular_file(status) || isOfKernel(path))
      fail(ErrorKind::BadInput, "{}: no file with an end, the editor does not read it", path);
    const uint64_t size = std::filesystem::file_size(path, problem);
    if (problem || !isNew)
      return; // its reader says what is wrong with it
    require(path, size);
    const uint64_t bytes = startsPacked(path) ? unpackedBytes(path) : size;
    require(path, bytes);
    left_ -= bytes;
  }
  /// Notes an open text, which takes no more memory.
  void addOpen(const std::string &path) { read_.insert(path); }

private:
  void require(const std::string &path, uint64_t bytes) const {
    if (bytes > std::min(kMaxFileBytes, left_))
      fail(ErrorKind::MemoryBound, "{}: the editor reads at most {} bytes of a file, {} in all",
           path, kMaxFileBytes, kMaxReadBytes);
  }
  /// Returns the size of a packed file's contents, or something above kMaxFileBytes if they are
  /// longer. Throws Error(BadInput) for broken data.
  static uint64_t unpackedBytes(const std::string &path) {
    InputStream stream(path);
    std::string part(size_t{64} << 10, '\0');
    uint64_t bytes = 0;
    for (size_t count = 1; count != 0 && bytes <= kMaxFileBytes; bytes += count)
      count = stream.read(part.data(), part.size());
    return bytes;
  }

  std::set<std::string> &read_;
  uint64_t left_ = kMaxReadBytes;
};

/// Arrays of short files alone.
class ShortArrays final : public ArraySource {
public:
  ShortArrays(std::unique_ptr<ArraySource> files, ReadFiles &read, Analysis &analysis)
      : files_(std::move(files)), read_(read), tooLong_(analysis.limitErrors) {}

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
    try {
      read_.add(request.path);
    } catch (const Error &error) {
      if (error.kind() == ErrorKind::MemoryBound)
        tooLong_.push_back(diagnostics.all().size());
      diagnostics.report({Severity::Error, place, error.what(), {}});
      return false;
    }
    return true;
  }

  std::unique_ptr<ArraySource> files_;
  ReadFiles &read_;
  std::vector<size_t> &tooLong_;
};

ModelFiles filesOfEditor(const OpenTexts &openTexts, ReadFiles &read, Analysis &analysis) {
  ModelFiles files = filesOnDisk();
  const auto ifShort = [&read](auto reader) {
    return [&read, reader](const std::string &path, auto &&...rest) {
      read.add(path);
      return reader(path, std::forward<decltype(rest)>(rest)...);
    };
  };
  files.readText = [&openTexts, &read,
                    fromDisk = ifShort(files.readText)](const std::string &path) {
    const auto open = openTexts(path);
    if (open == nullptr)
      return fromDisk(path);
    read.addOpen(path);
    return std::string(open->text());
  };
  files.openArrays = [&read, &analysis, open = files.openArrays] {
    return std::make_unique<ShortArrays>(open(), read, analysis);
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
    indexFiles(*analysis);
    return analysis;
  }
  BuildOptions options;
  options.limits = limitsOfEditor();
  ReadFiles read(analysis->read);
  options.files = filesOfEditor(openTexts, read, *analysis);
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
