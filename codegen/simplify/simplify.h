// THE SIMPLIFIER'S entry point: model + query -> a smaller model and query of the same kind, and
// how its answer becomes the answer that was asked for.
#pragma once

#include "codegen/bundle/postsolve_map.h"
#include "codegen/simplify/simplify_pipeline.h"
#include "dsl/model/model.h"

#include <optional>
#include <string>
#include <vector>

namespace mpf {

struct Simplified {
  Model model;                        ///< variables keep their numbers and names
  Query query;                        ///< over the factors of `model`
  std::optional<PostsolveMap> answer; ///< none: nothing was simplified, `model` is the given one
};

/// Simplifies `query` of `model`, which passed verifyModel; so does the result. Deterministic;
/// thread-safe. Without options.finalTables, and for queries that the planner refuses (samples,
/// gradients, batches, sweeps), everything stays as it is. Throws as checkedSemiring and, for an
/// unknown name in options.offPasses, Error(Usage).
Simplified simplify(const Model &model, const Query &query, const SimplifyOptions &options,
                    const SimplifyHook &after = {});

/// The named passes alone, once each in this order, as `opt` runs those of a compiler: mpfc
/// --run-pass NAME. Otherwise as simplify. Throws Error(Usage) for a pass that there is not, or
/// that is not for this query.
Simplified simplifyByPasses(const Model &model, const Query &query, const SimplifyOptions &options,
                            const std::vector<std::string> &names, const SimplifyHook &after = {});

/// The problem as a model: tables of equal contents are shared, variables that left are observed in
/// their only state, an impossible problem is one factor that is zero.
Simplified problemToModel(const SimplifyState &problem);

} // namespace mpf
