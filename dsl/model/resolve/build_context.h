// What all parts of the builder share while one Model is built from its files.
#pragma once

#include "dsl/model/resolve/build_options.h"
#include "dsl/model/resolve/symbols.h"
#include "dsl/model/resolve/table_pool.h"
#include "dsl/syntax/ast.h"

#include <memory>
#include <string>
#include <unordered_map>
#include <vector>

namespace mpf {

/// One index of the `for`s around the declaration that is being expanded.
struct LoopIndex {
  std::string name;
  int64_t value = 0;
};

/// Plain state, passed by reference; every check function reports to `diagnostics` and returns
/// nothing (or false) when it did.
struct BuildContext {
  BuildContext(Model &target, Diagnostics &sink, const BuildOptions &settings)
      : model(target), diagnostics(sink), options(settings) {}

  Model &model;
  Diagnostics &diagnostics;
  const BuildOptions &options;

  std::shared_ptr<const SourceBuffer> source; ///< file of the declaration at hand
  Symbols symbols;
  FactorNames factors;
  std::vector<DomainPtr> domains; ///< by VarId
  std::vector<LoopIndex> loop;    ///< outermost first
  TablePool tables;

  /// A file had syntax errors, so declarations may be missing: an unknown name is then no error of
  /// its own.
  bool incomplete = false;

  // What has been used of options.limits.
  uint64_t labelCount = 0;
  uint64_t scopeEntries = 0;
  uint64_t tableElems = 0;
  uint64_t templateSteps = 0;
  uint64_t expressionSteps = 0;
  uint64_t references = 0; ///< variables and factors named by queries and orders

  std::unordered_map<uint32_t, SourcePlace> observed; ///< by VarId::value
  std::vector<Observation> observations; ///< that hold in every case, until finishEvidence

  SourcePlace at(SourceRange range) const { return {source, range}; }
  template <class... Args>
  void error(SourceRange range, fmt::format_string<Args...> format, Args &&...args) {
    diagnostics.error(at(range), format, std::forward<Args>(args)...);
  }
  void errorWithHint(SourceRange range, std::string message, std::string hint) {
    diagnostics.report({Severity::Error, at(range), std::move(message), std::move(hint)});
  }
};

/// Reports a name that nothing declares, unless the declarations are incomplete.
void reportUnknown(BuildContext &context, SourceRange range, std::string message, std::string hint);

/// `path` as written in the file at hand, relative to that file's folder.
std::string resolvePath(const BuildContext &context, const std::string &path);

} // namespace mpf
