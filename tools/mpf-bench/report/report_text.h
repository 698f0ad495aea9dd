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

/// Compares the chain kernels of the set "chain" with the same steps one by one, if both were
/// judged.
std::string fusedText(const std::vector<BucketJob> &jobs);

/// Returns a line for the chain of the set "canonical", per type and form with all its steps. It
/// has the sum of the steps' times, and the floor of one pass that reads and writes the message
/// once. Empty without such a chain.
std::string chainText(const std::vector<BucketJob> &jobs, const Target &target);

/// Compares buckets with cuBLAS; empty when cuBLAS was not timed.
std::string cublasText(const std::vector<BucketJob> &jobs);

} // namespace mpf::bench
