// Compiles one query of a model that is loaded.
#pragma once

#include "codegen/bundle/bundle.h"
#include "dsl/model/model.h"
#include "runtime/choose/jit_gpu.h"
#include "tools/mpfc/compile/query_policy.h"
#include "tools/mpfc/options/options.h"

namespace mpf::driver {

/// Returns the options of --autotune, with a function that prints what measuring found.
AutotuneOptions autotuneOptionsFor(const Options &options);

/// Compiles a query of mpfc's own as the command line asks, within its memory bound. Every error is
/// thrown. It prints no warnings, which are about the form of single results, and no end of a
/// search.
Bundle compileQuery(const Model &model, const Query &query, const Options &options);

} // namespace mpf::driver
