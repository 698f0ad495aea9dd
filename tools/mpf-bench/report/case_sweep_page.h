// Prints the results of sweeps over the number of cases at a time, v: as text, JSON and a page with
// plots.
//
// The page follows Motokubota, Ino and Hagihara (PDP 2011). It has:
// - the bytes that a case reads and writes (table I);
// - the parts of the time of each way (figure 6);
// - the bytes that lanes move per second (figure 7);
// - the rate of answering, without copies, over v (figure 8).
#pragma once

#include "tools/mpf-bench/lanes/case_sweep.h"

#include <string>
#include <vector>

namespace mpf::bench {

/// Returns a line for each point. With a profile, lines for the longest steps and their sum follow.
std::string sweepText(const CaseSweep &sweep);

/// {"command", "sweeps": [{"model", ..., "points": [...]}]}
std::string sweepJson(const std::string &command, const std::vector<CaseSweep> &sweeps);

/// The page has no script and no outside reference. Equal input gives equal bytes.
std::string sweepPage(const std::string &command, const std::vector<CaseSweep> &sweeps);

} // namespace mpf::bench
