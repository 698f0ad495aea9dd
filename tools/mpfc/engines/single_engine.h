// The engine that answers one case after the other: every query, any size, every arithmetic.
//
// One program serves all cases. What a case sets are tables that are bound before its run
// (codegen/lanes/observable_model.h); only those that differ from the case before are bound, so
// that a run computes what depends on them. Of queries whose reduction has no zero that a table
// can hold (minima; whole numbers that are added) no table can leave out states: these have a
// program for each set of observed variables.
#pragma once

#include "dsl/model/model.h"
#include "dsl/support/cases/case_source.h"
#include "tools/mpfc/cases/case_engine.h"
#include "tools/mpfc/options/options.h"

namespace mpf::driver {

/// An EngineMaker (cases/run_cases.h). Throws as compiling a single run does.
CaseEngine makeSingleEngine(const Model &model, const CaseSource &cases, const Query &query,
                            const Options &options);

} // namespace mpf::driver
