// The engine that answers cases by a compiled program with a case variable (codegen/cases/
// case_axis.h), one run for each block of cases.
#pragma once

#include "dsl/model/model.h"
#include "dsl/support/cases/case_source.h"
#include "tools/mpfc/cases/case_engine.h"
#include "tools/mpfc/options/options.h"

namespace mpf::driver {

/// An EngineMaker (cases/run_cases.h), of lists that set no params. The blocks of one run are as
/// large as the memory bound allows. Throws as compiling does; Error(Unsupported) for queries
/// without such a program.
CaseEngine makeTableEngine(const Model &model, const CaseSource &cases, const Query &query,
                           const Options &options);

} // namespace mpf::driver
