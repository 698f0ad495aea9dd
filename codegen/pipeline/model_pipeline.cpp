#include "codegen/pipeline/model_pipeline.h"

#include "dsl/support/check.h"

#include <optional>
#include <utility>

namespace mpf {

namespace {

/// Returns `pipeline`, but its searches for orders end when `stop`, if any, is set.
Pipeline stoppedBy(const std::atomic<bool> *stop, const Pipeline &pipeline) {
  PipelineOptions options = pipeline.options();
  options.plan.search.stop = stop;
  return Pipeline(std::move(options));
}

/// Returns nothing if the query is refused.
std::optional<Simplified> simplified(const Pipeline &pipeline, const Model &model,
                                     const Query &query, const RefusalPolicy &refusals) {
  std::optional<Simplified> simple;
  refusals.attempt(query.name, [&] { simple.emplace(pipeline.simplify(model, query)); });
  return simple;
}

std::optional<PlannedQuery> planned(const Model &model, const Query &query,
                                    const QueryPolicy &policy) {
  const std::shared_ptr<const std::atomic<bool>> stop = policy.stop ? policy.stop() : nullptr;
  const ElementType type = elementTypeOf(query, policy.settings.type);
  const Pipeline pipeline = stoppedBy(stop.get(), pipelineFor(policy, type));
  std::optional<Simplified> simple = simplified(pipeline, model, query, policy.refusals);
  if (!simple)
    return std::nullopt;
  std::optional<TableProgram> program;
  const bool isPlanned = policy.refusals.attempt(query.name, [&] {
    Diagnostics diagnostics;
    program.emplace(pipeline.plan(*simple, diagnostics));
    if (policy.report)
      policy.report(diagnostics);
  });
  if (!isPlanned)
    return std::nullopt;
  return PlannedQuery{std::move(*simple), std::move(*program), type};
}

} // namespace

Pipeline pipelineFor(const QueryPolicy &policy, ElementType type) {
  PipelineOptions options = pipelineOptionsFor(policy.settings, type);
  options.hooks = policy.hooks;
  return Pipeline(std::move(options));
}

void simplifyEach(const Model &model, const std::vector<Query> &queries, const QueryPolicy &policy,
                  const std::function<void(Simplified)> &take) {
  for (const Query &query : queries) {
    const Pipeline pipeline = pipelineFor(policy, elementTypeOf(query, policy.settings.type));
    if (std::optional<Simplified> simple = simplified(pipeline, model, query, policy.refusals))
      take(std::move(*simple));
  }
}

void planEach(const Model &model, const std::vector<Query> &queries, const QueryPolicy &policy,
              const std::function<void(PlannedQuery)> &take) {
  // A query that is not simplified is planned with a copy of its model: one with that query, not
  // with 100,000.
  std::optional<Model> bare;
  if (model.queries.size() > 1)
    bare.emplace(model).queries.clear();
  for (const Query &query : queries)
    if (std::optional<PlannedQuery> plan = planned(bare ? *bare : model, query, policy))
      take(std::move(*plan));
}

void compileEach(const Model &model, const std::vector<Query> &queries, const QueryPolicy &policy,
                 const std::function<void(Bundle)> &take) {
  planEach(model, queries, policy, [&](PlannedQuery planned) {
    const Pipeline pipeline = pipelineFor(policy, planned.type);
    std::optional<Bundle> bundle;
    policy.refusals.attempt(planned.program.name, [&] {
      bundle.emplace(pipeline.compileProgram(planned.simple.model, planned.program,
                                             std::move(planned.simple.answer)));
    });
    if (bundle)
      take(std::move(*bundle));
  });
}

Bundle compileOne(const Model &model, const Query &query, QueryPolicy policy) {
  policy.refusals = RefusalPolicy();
  std::optional<Bundle> compiled;
  compileEach(model, {query}, policy, [&](Bundle bundle) { compiled = std::move(bundle); });
  MPF_CHECK(compiled.has_value(), "query {} was neither compiled nor refused", query.name);
  return std::move(*compiled);
}

LanePlan planLanes(const Model &model, const Query &query, const CaseSchema &schema,
                   const QueryPolicy &policy) {
  const std::shared_ptr<const std::atomic<bool>> stop = policy.stop ? policy.stop() : nullptr;
  const ElementType type = elementTypeOf(query, policy.settings.type);
  Diagnostics diagnostics;
  LanePlan plan =
      stoppedBy(stop.get(), pipelineFor(policy, type)).planLanes(model, query, schema, diagnostics);
  if (policy.report)
    policy.report(diagnostics);
  return plan;
}

} // namespace mpf
