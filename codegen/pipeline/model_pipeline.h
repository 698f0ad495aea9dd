// Sends several queries of one model through the pipeline, one after the other.
#pragma once

#include "codegen/pipeline/compile_settings.h"
#include "codegen/pipeline/pipeline.h"
#include "codegen/pipeline/refusal_policy.h"

#include <atomic>
#include <functional>
#include <memory>
#include <vector>

namespace mpf {

/// Returns, when the compilation of a query begins, a flag that ends the searches for orders once
/// it is set (SearchLimits::stop). The flag is held until the plan is made.
using StopFlag = std::function<std::shared_ptr<const std::atomic<bool>>()>;

/// The settings with which queries are compiled.
struct QueryPolicy {
  CompileSettings settings;
  PipelineHooks hooks;
  RefusalPolicy refusals; ///< by default everything is thrown
  StopFlag stop;          ///< may be empty
  /// Takes the warnings of a query once it is planned; may be empty. Exceptions that it throws
  /// refuse the query.
  std::function<void(const Diagnostics &)> report;
};

/// Returns the pipeline for queries of this type.
Pipeline pipelineFor(const QueryPolicy &policy, ElementType type);

/// Each function takes every query to the stage of its name. The result of a query is passed on
/// before the next query begins, unless the query is refused. Errors: those of the stages, thrown
/// or collected by policy.refusals.
void simplifyEach(const Model &model, const std::vector<Query> &queries, const QueryPolicy &policy,
                  const std::function<void(Simplified)> &take);
void planEach(const Model &model, const std::vector<Query> &queries, const QueryPolicy &policy,
              const std::function<void(PlannedQuery)> &take);
void compileEach(const Model &model, const std::vector<Query> &queries, const QueryPolicy &policy,
                 const std::function<void(Bundle)> &take);

/// Compiles one query. Every error is thrown, whatever policy.refusals says.
Bundle compileOne(const Model &model, const Query &query, QueryPolicy policy);

/// Plans one query for the cases of `schema`, in lanes (Pipeline::planLanes). Every error is
/// thrown.
LanePlan planLanes(const Model &model, const Query &query, const CaseSchema &schema,
                   const QueryPolicy &policy);

} // namespace mpf
