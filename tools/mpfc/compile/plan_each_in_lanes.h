// Plans all queries of a model with a list of cases in lanes, to print the plans or to bundle them.
#pragma once

#include "codegen/lanes/build_lane_program.h"
#include "dsl/model/model.h"
#include "tools/mpfc/compile/compile_queries.h"
#include "tools/mpfc/options/options.h"
#include "tools/mpfc/process/refusals.h"

#include <vector>

namespace mpf::driver {

/// Plans the selected queries of a model that has many cases. Refused queries have no plan.
std::vector<LanePlan> planEachInLanes(const Model &model, const Options &options,
                                      Refusals &refusals, Joining joining = Joining::Never);

} // namespace mpf::driver
