#include "codegen/simplify/simplify.h"

#include "codegen/simplify/state/query_support.h"
#include "dsl/support/check.h"

#include <algorithm>

namespace mpf {

namespace {

/// Whether the query can be simplified. The planner refuses the queries that checkedSemiring
/// refuses, with the same message.
bool canBeSimplified(const Model &model, const Query &query) {
  return traitsOf(query.kind).restored != Restored::Nothing &&
         scopeElems(model, query.output) <= kMaxRestoredElems && !hasManyCases(model) &&
         std::all_of(query.reductions.begin(), query.reductions.end(),
                     [&query](const QueryReduction &reduction) {
                       return reduction.reduce == query.reductions.front().reduce;
                     });
}

void requirePassNames(const std::vector<std::string> &names) {
  for (const std::string &name : names)
    if (!isSimplifyPass(name))
      fail(ErrorKind::Usage, "there is no simplification pass named {}", name);
}

} // namespace

Simplified simplify(const Model &model, const Query &query, const SimplifyOptions &options,
                    const SimplifyHook &after) {
  requirePassNames(options.offPasses);
  if (!options.finalTables || !canBeSimplified(model, query))
    return {model, query, std::nullopt, {}};
  checkElementType(model, query, options.type);
  SimplifyState state = makeProblem(model, query, options.type, options.indicators);
  runSimplifyPasses(state, options, after);
  return stateToModel(state);
}

Simplified simplifyByPasses(const Model &model, const Query &query, const SimplifyOptions &options,
                            const std::vector<std::string> &names, const SimplifyHook &after) {
  requirePassNames(names);
  if (!options.finalTables || !canBeSimplified(model, query))
    return {model, query, std::nullopt, {}};
  checkElementType(model, query, options.type);
  SimplifyState state = makeProblem(model, query, options.type, options.indicators);
  for (const std::string &name : names) {
    const SimplifyPass &pass = *findSimplifyPass(name);
    if (const std::string obstacle = findPassObstacle(state, pass, options); !obstacle.empty())
      fail(ErrorKind::Usage, "pass {} cannot be run for query {}: {}", name, query.name, obstacle);
    if (!state.impossible)
      runSimplifyPass(state, pass, 1, after);
  }
  return stateToModel(state);
}

} // namespace mpf
