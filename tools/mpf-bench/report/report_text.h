// Reports of a bucket benchmark as text, for a terminal.
#pragma once

#include "tools/mpf-bench/report/summary.h"

#include <string>
#include <vector>

namespace mpf::bench {

/// One line per job under a head line; times in microseconds, rates in 10^9 operations a second.
std::string jobTable(const std::vector<BucketJob> &jobs);

/// A few lines per group, and a line for each of its worst ten buckets.
std::string summaryText(const std::vector<GroupSummary> &summaries);

/// The set "chain": chain kernels compared with the same steps one by one, where both were judged.
std::string fusedText(const std::vector<BucketJob> &jobs);

/// The chain of the set "canonical", one line per type and form that has all its steps: the sum of
/// the steps' times, and the floor of one pass that reads and writes the message once. Empty when
/// there is no such chain.
std::string chainText(const std::vector<BucketJob> &jobs, const Target &target);

/// Comparison with cuBLAS; empty when cuBLAS was not timed.
std::string cublasText(const std::vector<BucketJob> &jobs);

} // namespace mpf::bench
