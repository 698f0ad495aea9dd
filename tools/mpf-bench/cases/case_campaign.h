// `mpf-bench cases`: one list of cases for each model and task, answered by mpf on every device and
// in every type that is asked for, and by other programs; answers compared.
#pragma once

#include "tools/mpf-bench/cases/case_rates.h"
#include "tools/mpf-bench/measure/case_bench_options.h"

#include <functional>
#include <vector>

namespace mpf::bench {

/// Calls `done` after each list. A device that is not there, a model that lanes refuse and a peer
/// that is not installed are told of in the rate. Throws Error(BadInput) for models that cannot be
/// read.
std::vector<CaseList> runCaseCampaign(const CaseBenchOptions &options,
                                      const std::function<void(const CaseList &)> &done);

} // namespace mpf::bench
