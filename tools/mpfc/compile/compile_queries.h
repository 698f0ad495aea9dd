// Compiles the queries of a model to bundles, as the command line asks.
#pragma once

#include "codegen/bundle/bundle.h"
#include "dsl/model/model.h"
#include "tools/mpfc/options/options.h"
#include "tools/mpfc/process/refusals.h"

#include <functional>
#include <vector>

namespace mpf::driver {

/// Returns one bundle for each selected query of the model in options.input that is not refused, or
/// the bundle of a .mpfb file (also -x bundle). With --plan, it compiles the queries that the plan
/// text answers. With --target, the bundles contain kernels for that GPU.
std::vector<Bundle> compileQueries(const Options &options, Refusals &refusals);

/// One query of a model that is loaded. Every error is thrown. There are no warnings: they are
/// about the form of single results.
Bundle compileQuery(const Model &model, const Query &query, const Options &options);

/// The same as compileQueries, but calls `take` with each bundle before it plans the next query, so
/// that a run can answer queries one by one.
void compileEach(const Options &options, Refusals &refusals,
                 const std::function<void(Bundle)> &take);

/// The same for a model that options.input holds and that is loaded.
void compileEach(const Model &model, const Options &options, Refusals &refusals,
                 const std::function<void(Bundle)> &take);

} // namespace mpf::driver
