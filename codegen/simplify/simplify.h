// Simplifies a query: makes a smaller model and a query of the same kind, and a map that turns its
// answer into the answer that was asked for. This is the simplifier's entry point.
#pragma once

#include "codegen/bundle/postsolve_map.h"
#include "codegen/simplify/simplify_pipeline.h"
#include "dsl/model/model.h"

#include <optional>
#include <string>
#include <vector>

namespace mpf {

/// An indicator of the smaller model whose variable was replaced by a function of others.
struct MovedIndicator {
  FactorId factor; ///< of the smaller model, over the arguments of the function
  /// By assignment of its scope, row-major: the state of the declared variable whose entry stands
  /// there.
  std::vector<uint32_t> states;
};

struct Simplified {
  Model model; ///< variables keep their numbers and names
  Query query; ///< over the factors of `model`
  std::optional<PostsolveMap>
      answer; ///< nothing: not simplified; `model` is a copy of the given one
  std::vector<MovedIndicator> indicators; ///< of SimplifyOptions::indicators, those that moved
};

/// Simplifies `query` of `model`, which passed verifyModel; so does the result. The same arguments
/// give the same result; thread-safe. Everything stays as it is without options.finalTables, for
/// queries that the planner refuses (samples, gradients, lists of cases, sweeps, nested
/// reductions), and for results of more than kMaxRestoredElems entries
/// (codegen/bundle/postsolve_map.h). Throws as checkedSemiring and checkElementType
/// (query_support.h) and, for an unknown name in options.offPasses, Error(Usage).
Simplified simplify(const Model &model, const Query &query, const SimplifyOptions &options,
                    const SimplifyHook &after = {});

/// Runs the named passes alone, once each in this order, as `opt` runs those of LLVM: mpfc
/// --run-pass NAME. Otherwise as simplify. Throws Error(Usage) for a pass that is unknown or cannot
/// be run for this query.
Simplified simplifyByPasses(const Model &model, const Query &query, const SimplifyOptions &options,
                            const std::vector<std::string> &names, const SimplifyHook &after = {});

/// Turns a state of simplification into a model. Tables of equal contents are shared. Variables
/// that left are observed in their only state. An impossible problem becomes one factor that is
/// zero, with the factors that have no values yet.
Simplified stateToModel(const SimplifyState &state);

} // namespace mpf
