#include "codegen/simplify/simplify.h"

#include "codegen/simplify/state/query_support.h"
#include "dsl/support/check.h"

#include <algorithm>
#include <cstdint>

namespace mpf {

namespace {

/// Returns the entries of the largest table of the result.
uint64_t resultElems(const Model &model, const Query &query) {
  if (query.joined.empty())
    return scopeElems(model, query.output);
  uint64_t most = 0;
  for (const JoinedQuery &joined : query.joined)
    most = std::max(most, scopeElems(model, joined.output));
  return most;
}

/// Whether the query can be simplified. The planner refuses the queries that checkedSemiring
/// refuses, with the same message.
bool canBeSimplified(const Model &model, const Query &query) {
  return traitsOf(query.kind).restored != Restored::Nothing &&
         resultElems(model, query) <= kMaxRestoredElems && !hasManyCases(model) &&
         std::all_of(query.reductions.begin(), query.reductions.end(),
                     [&query](const QueryReduction &reduction) {
                       return reduction.reduce == query.reductions.front().reduce;
                     });
}

/// Asks for the posteriors from which the answer follows, and drops steps that it does not need:
/// those of auxiliary and unasked variables are left out. The query stays as it is if it needs all.
/// Steps are undone from the last to the first. So the first one starts from what the answer has,
/// and each later one from what those before it need.
Simplified withAskedPosteriors(Simplified simple) {
  if (traitsOf(simple.query.kind).outputs != QueryOutputs::Posteriors)
    return simple;
  std::vector<char> isNeeded;
  for (const Variable &variable : simple.model.variables)
    isNeeded.push_back(!variable.auxiliary && !variable.unasked);
  if (std::ranges::find(isNeeded, 0) == isNeeded.end())
    return simple;
  if (simple.answer) {
    std::vector<AnswerStep> steps;
    for (AnswerStep &step : simple.answer->steps) {
      if (!isNeeded[step.variable.index()])
        continue;
      if (step.source) {
        isNeeded[step.variable.index()] = 0;
        isNeeded[step.source->index()] = 1;
      }
      steps.push_back(std::move(step));
    }
    simple.answer->steps = std::move(steps);
  }
  for (size_t i = 0; i < isNeeded.size(); ++i)
    if (isNeeded[i])
      simple.query.asked.emplace_back(i);
  if (simple.answer)
    simple.model.queries = {simple.query};
  return simple;
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
    return withAskedPosteriors({model, query, std::nullopt, {}});
  checkElementType(model, query, options.type);
  SimplifyState state = makeProblem(model, query, options.type, options.indicators);
  runSimplifyPasses(state, options, after);
  return withAskedPosteriors(stateToModel(state));
}

Simplified simplifyByPasses(const Model &model, const Query &query, const SimplifyOptions &options,
                            const std::vector<std::string> &names, const SimplifyHook &after) {
  requirePassNames(names);
  if (!options.finalTables || !canBeSimplified(model, query))
    return withAskedPosteriors({model, query, std::nullopt, {}});
  checkElementType(model, query, options.type);
  SimplifyState state = makeProblem(model, query, options.type, options.indicators);
  for (const std::string &name : names) {
    const SimplifyPass &pass = *findSimplifyPass(name);
    if (const std::string obstacle = findPassObstacle(state, pass, options); !obstacle.empty())
      fail(ErrorKind::Usage, "pass {} cannot be run for query {}: {}", name, query.name, obstacle);
    if (!state.impossible)
      runSimplifyPass(state, pass, 1, after);
  }
  return withAskedPosteriors(stateToModel(state));
}

} // namespace mpf
