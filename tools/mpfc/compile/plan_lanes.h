// Plans a query for a list of cases in lanes, as the command line asks.
#pragma once

#include "codegen/lanes/build_lane_program.h"
#include "dsl/model/model.h"
#include "tools/mpfc/compile/query_policy.h"
#include "tools/mpfc/options/options.h"

namespace mpf::driver {

/// Plans one query for the cases of `schema`, in lanes (codegen/lanes/build_lane_program.h),
/// without warnings: they are about the form of single results. Every error is thrown.
LanePlan planLanesOf(const Model &model, const Query &query, const CaseSchema &schema,
                     const Options &options, SearchNote note = noteSearch);

} // namespace mpf::driver
