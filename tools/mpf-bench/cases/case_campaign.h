// `mpf-bench cases`: one list of cases for each model and task. mpf answers it on all requested
// devices and in all requested types, and other programs do. Answers are compared.
#pragma once

#include "tools/mpf-bench/cases/case_rates.h"
#include "tools/mpf-bench/measure/case_bench_options.h"

#include <functional>
#include <vector>

namespace mpf::bench {

/// Runs the campaign, and calls `done` after each list. A missing device, a model that lanes refuse
/// and a missing peer are recorded in the CaseRate. Throws Error(BadInput) for models that cannot
/// be read.
std::vector<CaseList> runCaseCampaign(const CaseBenchOptions &options,
                                      const std::function<void(const CaseList &)> &done);

} // namespace mpf::bench
