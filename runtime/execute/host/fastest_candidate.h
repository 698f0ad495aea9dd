// Finds the fastest of several kernels for one piece of work by measuring. The candidates run in
// turns, so that a drift of the device's clock affects all of them alike. Independent of any
// device.
#pragma once

#include <cstddef>
#include <functional>
#include <span>
#include <vector>

namespace mpf {

/// A candidate must be faster than the first one by this factor to be chosen: medians of equal
/// kernels differ by about 1 %.
inline constexpr double kLeastTuningGain = 1.01;

/// Runs a candidate, numbered from 0, once and returns its time in microseconds.
using CandidateRun = std::function<double(size_t)>;

/// Returns median times in microseconds, one per candidate. Much slower candidates drop out after a
/// few rounds. Measuring ends after about a second of runs.
std::vector<double> measureCandidates(size_t count, const CandidateRun &run);

/// Returns the candidate with the least median, or the first one (the cost model's choice) if no
/// other is faster by kLeastTuningGain.
size_t fastestCandidate(std::span<const double> mediansUs);

} // namespace mpf
