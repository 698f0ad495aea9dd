// `mpf-bench cases`: lists of cases that lie in memory, answered again and again; rows per second.
#pragma once

#include "tools/mpf-bench/measure/case_bench_options.h"

namespace mpf::bench {

/// Every variable of a model is a column; cells are observed at random, in random states. Throws
/// Error(Verification) when a row has another answer than its single run.
void benchCases(const CaseBenchOptions &options);

} // namespace mpf::bench
