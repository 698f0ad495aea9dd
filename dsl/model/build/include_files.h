// `include "base.mpf"`, `import "net.uai"`: all files of a model, as one list of declarations.
#pragma once

#include "dsl/model/resolve/build_context.h"

#include <memory>
#include <string>
#include <unordered_set>
#include <vector>

namespace mpf {

/// A declaration with the file it is written in, or an `import` with the Model that was read.
struct PlacedDecl {
  std::shared_ptr<const SourceBuffer> source;
  const ast::Decl *decl = nullptr;
  std::shared_ptr<const Model> imported; ///< null, unless `decl` is an import
};

/// Reads included files and puts their declarations in the place of the `include`. A file whose
/// ending is not .mpf is read by ModelFiles::importModel. A file that is included twice is read
/// once. Reports files that cannot be read, and a file that includes itself, directly or not.
class FileCollector {
public:
  explicit FileCollector(BuildContext &context) : context_(context) {}

  /// Returns the declarations of `file` and of all files that it includes; call it once. `file` and
  /// the collector, which owns the included files, must outlive the result.
  std::vector<PlacedDecl> collect(const ast::File &file);
  /// Returns the included files, to which the declarations refer.
  std::vector<std::unique_ptr<ast::File>> takeFiles() { return std::move(files_); }

private:
  void addFile(const ast::File &file);
  void addInclude(const ast::Decl &decl, const ast::IncludeDecl &include);
  void includeMpf(const ast::IncludeDecl &include, const std::string &path);
  void importModel(const ast::Decl &decl, const ast::IncludeDecl &include, const std::string &path);

  BuildContext &context_;
  std::vector<std::unique_ptr<ast::File>> files_;
  std::vector<std::string> open_;        ///< paths from the main file to the one being read
  std::unordered_set<std::string> done_; ///< paths that were included
  std::vector<PlacedDecl> decls_;
};

/// Adds the variables of an imported Model under their own names. Reports at `decl`, the import.
void addImportedVariables(BuildContext &context, const ast::Decl &decl, const Model &imported);
/// Adds the factors and evidence of an imported Model, after its variables. Its queries and orders
/// are dropped.
void addImportedFactors(BuildContext &context, const ast::Decl &decl, const Model &imported);

} // namespace mpf
