// Plans a query: makes a table program that can be run. `buildProgram` is the planner's entry
// point.
#pragma once

#include "codegen/plan/passes/plan_pipeline.h"
#include "codegen/plan/program/plan_options.h"
#include "codegen/plan/program/table_program.h"
#include "dsl/model/model.h"
#include "dsl/source/diagnostic.h"

namespace mpf {

/// Plans `query` of `model`, which passed verifyModel. The same build, model, query and options
/// give the same program, unless a time limit or the stop flag of options.search ends a search
/// (search_stop.h). Thread-safe for distinct `diagnostics` and device costs.
///
/// If every order needs more than options.maxMemoryBytes, options.largerBound is called once. It
/// returns the bound of a device with more memory, and the larger of the two bounds holds from then
/// on. If every order needs more than that, there are two remedies: the program computes messages
/// again (only for marginals: pass_recompute_messages.h), or is conditioned on variables
/// (slice_variables.h). Slices are searched for only if computing messages again takes more than
/// 1.05 times the work of the plan without a bound, or does not suffice. A performance warning
/// reports how much more work the program has.
///
/// Throws
/// - Error(Unsupported) for samples, gradients, lists of cases, swept parameters and nested
///   reductions;
/// - Error(BadInput) for contradicting orders, negative values under max-product, and a query that
///   options.type cannot compute;
/// - Error(Usage) for wrong `hooks`;
/// - Error(MemoryBound) when no program within the bound is found: its message has the smallest
///   peak found, and nothing was allocated.
///
/// Warnings go to `diagnostics`.
TableProgram buildProgram(const Model &model, const Query &query, const PlanOptions &options,
                          Diagnostics &diagnostics, const PlanHooks &hooks = {});

} // namespace mpf
