// The planner's entry point: Model + query -> TableProgram that can be run.
#pragma once

#include "codegen/plan/passes/plan_pipeline.h"
#include "codegen/plan/program/plan_options.h"
#include "codegen/plan/program/table_program.h"
#include "dsl/model/model.h"
#include "dsl/source/diagnostic.h"

namespace mpf {

/// Plans `query` of `model`, which passed verifyModel. Deterministic: the same model, query and
/// options give the same program on every machine. Thread-safe for distinct `diagnostics`.
///
/// A query that needs more than options.maxMemoryBytes with every order computes messages again
/// (marginals: pass_recompute_messages.h) or is conditioned on variables (slice_variables.h) until
/// it fits; what that costs is reported as a performance warning.
///
/// Errors: Unsupported (samples, gradient, batches, swept parameters, nested reductions),
/// BadInput (contradicting orders, negative values under max-product), MemoryBound (no order and no
/// slices found stay within the bound: the message holds the smallest peak found; nothing was
/// allocated), Usage (hooks). Performance warnings go to `diagnostics`.
TableProgram buildProgram(const Model &model, const Query &query, const PlanOptions &options,
                          Diagnostics &diagnostics, const PlanHooks &hooks = {});

} // namespace mpf
