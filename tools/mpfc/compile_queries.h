// Model -> bundles, as the command line asks.
#pragma once

#include "codegen/bundle/bundle.h"
#include "tools/mpfc/options/options.h"
#include "tools/mpfc/refusals.h"

#include <functional>
#include <vector>

namespace mpf::driver {

/// One bundle per selected query of the model in options.input that is not refused, or the bundle
/// of a .mpfb file (also -x bundle). With --plan, the queries that the plan text answers. With
/// --target, the bundles hold kernels for that GPU.
std::vector<Bundle> compileQueries(const Options &options, Refusals &refusals);

/// Each is handed on before the next query is planned: a run has answers by then.
void compileEach(const Options &options, Refusals &refusals,
                 const std::function<void(Bundle)> &take);

} // namespace mpf::driver
