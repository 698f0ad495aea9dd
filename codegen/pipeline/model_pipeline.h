// Several queries of one model through the pipeline, one after the other.
#pragma once

#include "codegen/pipeline/compile_settings.h"
#include "codegen/pipeline/pipeline.h"
#include "codegen/pipeline/refusal_policy.h"

#include <atomic>
#include <functional>
#include <memory>
#include <vector>

namespace mpf {

/// Asked when the compilation of a query begins: a flag that ends the searches for orders once it
/// is set (SearchLimits::stop). It is held until the plan is made.
using StopFlag = std::function<std::shared_ptr<const std::atomic<bool>>()>;

/// How queries are compiled.
struct QueryPolicy {
  CompileSettings settings;
  PipelineHooks hooks;
  RefusalPolicy refusals; ///< by default everything is thrown
  StopFlag stop;          ///< may be empty
  /// Takes the warnings of a query once it is planned; may be empty. What it throws refuses the
  /// query.
  std::function<void(const Diagnostics &)> report;
};

/// The pipeline for queries of this type.
Pipeline pipelineFor(const QueryPolicy &policy, ElementType type);

/// Each query as far as its name says. What is not refused is handed on before the next query
/// begins. Errors: those of the stages, as policy.refusals says.
void simplifyEach(const Model &model, const std::vector<Query> &queries, const QueryPolicy &policy,
                  const std::function<void(Simplified)> &take);
void planEach(const Model &model, const std::vector<Query> &queries, const QueryPolicy &policy,
              const std::function<void(PlannedQuery)> &take);
void compileEach(const Model &model, const std::vector<Query> &queries, const QueryPolicy &policy,
                 const std::function<void(Bundle)> &take);

/// One query for the cases of `schema`, in lanes (Pipeline::planLanes). Every error is thrown.
LanePlan planLanes(const Model &model, const Query &query, const CaseSchema &schema,
                   const QueryPolicy &policy);

} // namespace mpf
