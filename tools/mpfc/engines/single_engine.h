// The engine that answers one case after the other: every query, any size, every arithmetic.
//
// One program serves all cases. What a case sets are tables that are bound before its run
// (codegen/lanes/observable_model.h); only those that differ from the case before are bound, so
// that a run computes what depends on them. Of queries whose reduction has no zero that a table
// can hold (minima; whole numbers that are added) no table can leave out states: these have a
// program for each set of observed variables.
#pragma once

#include "codegen/bundle/bundle.h"
#include "dsl/model/model.h"
#include "dsl/support/cases/case_source.h"
#include "tools/mpfc/cases/case_engine.h"
#include "tools/mpfc/options/options.h"

namespace mpf::driver {

/// Cases of a block: few, so that rows come out, and progress is seen, while the next ones are
/// computed.
inline constexpr uint32_t kSingleBlockCases = 16;

/// The program of a case: of one that observes nothing, where each set of observed variables has
/// its own. Errors as makeSingleEngine.
Bundle compileSingleCase(const Model &model, const CaseSchema &schema, const Query &query,
                         const Options &options);

/// An EngineMaker (cases/run_cases.h). Throws as compiling a single run does.
CaseEngine makeSingleEngine(const Model &model, const CaseSource &cases, const Query &query,
                            const Options &options);

} // namespace mpf::driver
