// `mpf-bench cases`: lists of cases that lie in memory, answered again and again; rows per second.
#pragma once

#include "tools/mpf-bench/measure/case_bench_options.h"

#include <cstddef>

namespace mpf::bench {

/// Measures lists of cases. Every variable of a model is a column; cells are observed at random.
/// Returns the number of lists for which some solver's answer differs. With a sweep, throws
/// Error(Verification) instead.
size_t benchCases(const CaseBenchOptions &options);

} // namespace mpf::bench
