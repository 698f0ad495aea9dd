// Which engine answers the cases of a query.
#pragma once

#include "dsl/model/model.h"
#include "dsl/support/cases/case_source.h"
#include "tools/mpfc/cases/case_engine.h"
#include "tools/mpfc/options/options.h"

namespace mpf::driver {

/// An EngineMaker (cases/run_cases.h): lanes on the CPU, or tables over blocks of cases where lanes
/// refuse the query, on a GPU, and where the command line asks for what only tables have. Throws as
/// planning does; Error(Unsupported) for what neither answers, for whole numbers, and where cases
/// set params; Error(BadInput) for factors that a host program should bind.
CaseEngine makeCaseEngine(const Model &model, const CaseSource &cases, const Query &query,
                          const Options &options);

} // namespace mpf::driver
