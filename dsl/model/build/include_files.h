// `include "base.mpf"`, `import "net.uai"`: all files of a model, as one list of declarations.
#pragma once

#include "dsl/model/resolve/build_context.h"

#include <memory>
#include <string>
#include <unordered_set>
#include <vector>

namespace mpf {

/// A declaration with the file it is written in, or a whole Model in the place of its `import`.
struct PlacedDecl {
  std::shared_ptr<const SourceBuffer> source;
  const ast::Decl *decl = nullptr;
  std::shared_ptr<const Model> imported; ///< `decl` is then the import itself
};

/// Reads included files and puts their declarations where the `include` stands; what is not .mpf by
/// its ending goes through ModelFiles::importModel. A file that is included twice counts once; one
/// that includes itself, directly or not, is an error.
class FileCollector {
public:
  explicit FileCollector(BuildContext &context) : context_(context) {}

  /// `file` must outlive the result; included files live as long as the collector.
  std::vector<PlacedDecl> collect(const ast::File &file);

private:
  void addFile(const ast::File &file);
  void addInclude(const ast::Decl &decl, const ast::IncludeDecl &include);
  void includeMpf(const ast::IncludeDecl &include, const std::string &path);
  void importModel(const ast::Decl &decl, const ast::IncludeDecl &include, const std::string &path);

  BuildContext &context_;
  std::vector<std::unique_ptr<ast::File>> files_;
  std::vector<std::string> open_; ///< paths from the main file to the one being read
  std::unordered_set<std::string> done_;
  std::vector<PlacedDecl> decls_;
};

/// Adds the variables, or later the factors and evidence, of an imported Model under their own
/// names. Its queries stay behind: the importing file asks its own.
void addImportedVariables(BuildContext &context, const ast::Decl &decl, const Model &imported);
void addImportedFactors(BuildContext &context, const ast::Decl &decl, const Model &imported);

} // namespace mpf
