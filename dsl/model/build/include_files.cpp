#include "dsl/model/build/include_files.h"

#include "dsl/support/error.h"
#include "dsl/support/files/file_input.h"
#include "dsl/support/files/lower_case.h"
#include "dsl/syntax/parser.h"
#include "dsl/syntax/spelling.h"

#include <algorithm>
#include <filesystem>

namespace mpf {

namespace {

std::string normalised(const std::string &path) {
  return std::filesystem::path(path).lexically_normal().string();
}

} // namespace

std::string resolvePath(const BuildContext &context, const std::string &path) {
  const std::filesystem::path relative(path);
  if (relative.is_absolute())
    return path;
  return (std::filesystem::path(context.source->name()).parent_path() / relative)
      .lexically_normal()
      .string();
}

std::vector<PlacedDecl> FileCollector::collect(const ast::File &file) {
  open_.push_back(normalised(file.source->name()));
  addFile(file);
  open_.pop_back();
  return std::move(decls_);
}

void FileCollector::addFile(const ast::File &file) {
  const auto outer = std::exchange(context_.source, file.source);
  for (const ast::Decl &decl : file.decls)
    if (const auto *include = std::get_if<ast::IncludeDecl>(&decl.node))
      addInclude(decl, *include);
    else
      decls_.push_back({file.source, &decl, nullptr});
  context_.source = outer;
}

void FileCollector::addInclude(const ast::Decl &decl, const ast::IncludeDecl &include) {
  const ModelLimits &limits = context_.options.limits;
  const std::string path = resolvePath(context_, include.path.text);
  if (std::ranges::find(open_, path) != open_.end())
    return context_.error(include.path.range, "'{}' includes itself",
                          excerpt(include.path.text, 80));
  if (open_.size() > limits.maxIncludeDepth)
    return context_.error(include.path.range, "files are included {} deep, the limit is {}",
                          open_.size(), limits.maxIncludeDepth);
  if (done_.size() >= limits.maxIncludes)
    return context_.error(include.path.range, "more than {} files are included, the limit",
                          limits.maxIncludes);
  if (!done_.insert(path).second)
    return;
  if (hasEnding(withoutCompressionSuffix(path), ".mpf"))
    includeMpf(include, path);
  else
    importModel(decl, include, path);
}

void FileCollector::includeMpf(const ast::IncludeDecl &include, const std::string &path) {
  if (!context_.options.files.readText)
    return context_.error(include.path.range, "files cannot be included here");
  std::shared_ptr<const SourceBuffer> source;
  try {
    std::string text = context_.options.files.readText(path);
    if (text.size() >= UINT32_MAX)
      return context_.error(include.path.range, "the file has {} bytes, the limit is {}",
                            text.size(), UINT32_MAX - 1);
    source = std::make_shared<const SourceBuffer>(path, std::move(text));
  } catch (const Error &error) {
    if (error.kind() != ErrorKind::BadInput)
      throw;
    return context_.error(include.path.range, "{}", error.what());
  }
  const size_t errorsBefore = context_.diagnostics.errorCount();
  files_.push_back(parseFile(std::move(source), context_.diagnostics));
  context_.incomplete |= context_.diagnostics.errorCount() != errorsBefore;
  open_.push_back(path);
  addFile(*files_.back());
  open_.pop_back();
}

void FileCollector::importModel(const ast::Decl &decl, const ast::IncludeDecl &include,
                                const std::string &path) {
  if (!context_.options.files.importModel)
    return context_.error(include.path.range, "models of other formats cannot be imported here");
  try {
    auto model = context_.options.files.importModel(path, context_.diagnostics);
    if (model)
      decls_.push_back({context_.source, &decl, std::make_shared<const Model>(std::move(*model))});
    else
      context_.error(include.path.range, "'{}' could not be imported",
                     excerpt(include.path.text, 80));
  } catch (const Error &error) {
    if (error.kind() != ErrorKind::BadInput && error.kind() != ErrorKind::Usage)
      throw;
    context_.error(include.path.range, "{}", error.what());
  }
}

} // namespace mpf
