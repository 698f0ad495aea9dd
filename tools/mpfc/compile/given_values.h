// The params and the evidence that a command line sets, for answers that name them. Of a bundle
// they are entries of factors and what it observes.
#pragma once

#include "runtime/result/result_json.h"
#include "tools/mpfc/compile/compile_queries.h"

namespace mpf::driver {

/// Returns the params and the evidence that the options set for the model.
GivenValues givenValues(const CompileInput &input, const Options &options);

} // namespace mpf::driver
