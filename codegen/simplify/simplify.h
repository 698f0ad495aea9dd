// Simplifies a query: makes a smaller model, a query of the same kind, and a map that turns its
// answer into the original answer. This is the simplifier's entry point.
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
  FactorId factor; ///< a factor of the smaller model, over the arguments of the function
  /// States of the declared variable, by assignment of the factor's scope, row-major. Each entry of
  /// the factor is the declared indicator's entry for that state.
  std::vector<uint32_t> states;
};

struct Simplified {
  Model model; ///< variables keep their numbers and names
  Query query; ///< over the factors of `model`
  std::optional<PostsolveMap>
      answer; ///< nothing: not simplified; `model` is a copy of the given one
  std::vector<MovedIndicator> indicators; ///< members of SimplifyOptions::indicators that moved
};

/// Simplifies `query` of `model`, which passed verifyModel; so does the result. The same arguments
/// give the same result; thread-safe. The query stays as it is
/// - without options.finalTables;
/// - if the planner refuses it (samples, gradients, lists of cases, sweeps, nested reductions);
/// - if its result has more than kMaxRestoredElems entries (codegen/bundle/postsolve_map.h).
///
/// Throws as checkedSemiring and checkElementType (query_support.h), and Error(Usage) for an
/// unknown name in options.offPasses.
Simplified simplify(const Model &model, const Query &query, const SimplifyOptions &options,
                    const SimplifyHook &after = {});

/// Runs the named passes alone, once each in this order, as `opt` runs those of LLVM: mpfc
/// --run-pass NAME. The rest is as in simplify. Throws Error(Usage) for a pass that is unknown or
/// cannot be run for this query.
Simplified simplifyByPasses(const Model &model, const Query &query, const SimplifyOptions &options,
                            const std::vector<std::string> &names, const SimplifyHook &after = {});

/// Turns a state of simplification into a model. Tables of equal contents are shared. Variables
/// that left are observed in their only state. An impossible problem becomes one factor that is
/// zero, with the factors that have no values yet.
Simplified stateToModel(const SimplifyState &state);

} // namespace mpf
