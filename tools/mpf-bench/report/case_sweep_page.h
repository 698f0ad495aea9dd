// The figures of sweeps over the number of cases at a time, as text, JSON and a page with plots.
//
// What the page shows, after Motokubota, Ino and Hagihara (PDP 2011): what a case reads and writes
// (table I); the time of each way in its parts (figure 6); the bytes that lanes move in a second
// (figure 7); and the rate of answering alone, by v (figure 8).
#pragma once

#include "tools/mpf-bench/measure/case_sweep.h"

#include <string>
#include <vector>

namespace mpf::bench {

/// One line for each point; then of a profile one for each of the longest steps, and the sum.
std::string sweepText(const CaseSweep &sweep);

/// {"command", "sweeps": [{"model", ..., "points": [...]}]}
std::string sweepJson(const std::string &command, const std::vector<CaseSweep> &sweeps);

/// The page has no script and no outside reference. Equal input gives equal bytes.
std::string sweepPage(const std::string &command, const std::vector<CaseSweep> &sweeps);

} // namespace mpf::bench
