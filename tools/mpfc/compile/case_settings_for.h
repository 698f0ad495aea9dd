// The part of the command line that engines of cases take.
#pragma once

#include "dsl/support/cases/case_source.h"
#include "runtime/engine/list/choose_engine.h"
#include "tools/mpfc/options/options.h"

namespace mpf::driver {

/// `options` have a memory bound. Queries are planned by its policy.
CaseSettings caseSettingsFor(const Options &options);

/// Describes the question `query` to `model` for the list `cases`. The arguments must outlive the
/// result, which refers to them.
CaseProblem caseProblemFor(const Model &model, const CaseSource &cases, const Query &query,
                           const Options &options, const std::optional<Target> &gpu);

} // namespace mpf::driver
