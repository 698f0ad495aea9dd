// Reports of a bucket benchmark as text, for a terminal.
#pragma once

#include "tools/mpf-bench/report/summary.h"

#include <string>
#include <vector>

namespace mpf::bench {

/// One line per job under a head line; times in microseconds, rates in 10^9 operations a second.
std::string jobTable(const std::vector<BucketJob> &jobs);

/// A few lines per group, and for each of its worst ten a line.
std::string summaryText(const std::vector<GroupSummary> &summaries);

/// The canonical chain, one line per type and form that has all its steps: the sum of the steps,
/// and the floor of doing all in one pass (the message read once and written once). Empty without.
/// For the set "chain": fused runs beside the same steps one by one, where both were judged.
std::string fusedText(const std::vector<BucketJob> &jobs);

std::string chainText(const std::vector<BucketJob> &jobs, const Target &target);

/// Beside cuBLAS, where it was timed; empty otherwise.
std::string cublasText(const std::vector<BucketJob> &jobs);

} // namespace mpf::bench
