// The state that all parts of the builder share while one Model is built from its files.
#pragma once

#include "dsl/model/judge_rows.h"
#include "dsl/model/resolve/build_options.h"
#include "dsl/model/resolve/symbols.h"
#include "dsl/model/resolve/table_pool.h"
#include "dsl/syntax/ast.h"

#include <memory>
#include <set>
#include <string>
#include <unordered_map>
#include <unordered_set>
#include <vector>

namespace mpf {

/// One index of the `for`s around the declaration that is being expanded.
struct LoopIndex {
  std::string name;
  int64_t value = 0;
};

/// The work for the expression that is being compiled.
struct Expansion {
  uint32_t compiling = 0; ///< expressions that are being compiled, each inside of the one before
  uint32_t expanding = 0; ///< folds that are being written out
  uint64_t steps = 0;     ///< expressions compiled inside of folds, for the outermost expression
  struct OpenRange {
    uint64_t round = 0, rounds = 0;
  };
  std::vector<OpenRange> ranges; ///< of the folds that are being written out, outermost first
};

/// The arrays that compiled expressions read.
struct ReadArrays {
  EntryArrays entries;
  std::unordered_map<const NumberArray *, uint32_t> slots; ///< of entries.arrays; only looked up
};

/// An `observe do(x = s)` and its place.
struct PlacedCut {
  Observation set;
  SourcePlace place;
};

inline constexpr std::string_view
    kHintForTakenRows = "normalise(...) around the value, or --normalise, divides each row by its "
                        "sum",
    kHintForRefusedRows = "normalise(...) around the value divides each row by its sum; weights "
                          "stand in a `factor`";

struct CallFrame;  // local_names.h
struct WhereNames; // local_names.h

/// The params of a model while it is built.
struct ParamsSoFar {
  std::set<std::string> varying;  ///< params that cases set
  std::vector<double> values;     ///< values of the params so far, by slot (paramValues)
  std::vector<std::string> names; ///< numbers and arrays, in the order declared
  std::set<std::string> blamed;   ///< from outside, whose error was reported at their value
};

/// The evidence of a model while it is built.
struct EvidenceSoFar {
  std::unordered_map<uint32_t, SourcePlace> places; ///< of findings, by VarId::value
  std::vector<Observation> observations; ///< hold in every case; finishEvidence takes them
  std::vector<PlacedCut> cuts;           ///< all do(); their states are observations too
};

/// Totals so far, for comparison with BuildOptions::limits.
struct BuildTotals {
  uint64_t labelCount = 0;
  uint64_t scopeEntries = 0;
  uint64_t tableElems = 0;
  uint64_t templateSteps = 0;
  uint64_t expressionSteps = 0;
  uint64_t expandedSteps = 0; ///< of all folds and calls
  uint64_t references = 0;    ///< variables and factors that scopes, orders and queries name
};

/// The state of one build, passed by reference. Functions that find an error report it to
/// `diagnostics` and return nothing or false.
struct BuildContext {
  BuildContext(Model &target, Diagnostics &sink, const BuildOptions &settings)
      : model(target), diagnostics(sink), options(settings),
        rows(sink, {settings.normalise, kHintForTakenRows, kHintForRefusedRows}),
        params{settings.params.varying, {}, {}, {}} {}

  Model &model;
  Diagnostics &diagnostics;
  const BuildOptions &options;

  std::shared_ptr<const SourceBuffer> source; ///< file of the current declaration
  std::shared_ptr<ArraySource> arrays = {};   ///< the files that it names; null: none so far
  Symbols symbols;
  FactorNames factors;
  std::vector<DomainPtr> domains;    ///< domain of each variable
  std::vector<LoopIndex> loop;       ///< outermost first
  const CallFrame *call = nullptr;   ///< of the function whose body is being compiled; null: none
  const WhereNames *where = nullptr; ///< of the value that is being built; null: none
  size_t functionCount = 0;
  std::unordered_set<const void *> constantRows; ///< array literals that were warned of; looked up
  Expansion expansion;
  ReadArrays readArrays;
  TablePool tables;
  FormulaPool formulas;
  RowJudge rows;

  ParamsSoFar params;
  EvidenceSoFar evidence;
  BuildTotals totals;

  std::vector<size_t> limitErrors; ///< BuiltNames::limitErrors

  /// A file had syntax errors, so declarations may be missing: unknown names are then not reported.
  bool incomplete = false;

  SourcePlace at(SourceRange range) const { return {source, range}; }
  template <class... Args>
  void error(SourceRange range, fmt::format_string<Args...> format, Args &&...args) {
    diagnostics.error(at(range), format, std::forward<Args>(args)...);
  }
  /// Reports a text that goes beyond one of BuildOptions::limits.
  void beyondLimit(SourceRange range, std::string message, std::string hint = {}) {
    limitErrors.push_back(diagnostics.all().size());
    errorWithHint(range, std::move(message), std::move(hint));
  }
  void errorWithHint(SourceRange range, std::string message, std::string hint) {
    diagnostics.report({Severity::Error, at(range), std::move(message), std::move(hint)});
  }
};

/// Returns the index of this name of the innermost loop; null: no loop has one.
const LoopIndex *findLoopIndex(const BuildContext &context, const std::string &name);

/// Reports a name that nothing declares, unless the declarations are incomplete.
void reportUnknown(BuildContext &context, SourceRange range, std::string message, std::string hint);

/// Converts `path`, which is relative to the folder of the current file, to one that is relative to
/// the working directory. Absolute paths stay unchanged.
std::string resolvePath(const BuildContext &context, const std::string &path);

} // namespace mpf
