// A choice by measuring, apart from any device: which of several kernels for the same work is the
// fastest, by runs that take turns, so that a drift of the device's clock meets all alike.
#pragma once

#include <cstddef>
#include <functional>
#include <span>
#include <vector>

namespace mpf {

/// Another candidate than the first must be faster by so much: medians of equal kernels differ by
/// about a hundredth.
inline constexpr double kLeastTuningGain = 1.01;

/// Microseconds of one run of a candidate, counted from 0.
using CandidateRun = std::function<double(size_t)>;

/// Medians in microseconds, one per candidate. After a few rounds those that are far behind drop
/// out; after about a second of runs nothing further is run.
std::vector<double> measureCandidates(size_t count, const CandidateRun &run);

/// The candidate to take: of least median, or the first (what the cost model takes), if the others
/// are hardly faster.
size_t fastestCandidate(std::span<const double> mediansUs);

} // namespace mpf
