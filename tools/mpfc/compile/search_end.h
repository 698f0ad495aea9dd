// The share of a command's time (--time-limit) that searches for orders may take of it.
#pragma once

#include "tools/mpfc/options/options.h"

namespace mpf::driver {

/// Before a single answer: the rest is for compiling and for the run.
inline constexpr double kOneAnswerShare = 0.5;
/// Before a list of cases, whose rows come one after another: more time is more rows.
inline constexpr double kListShare = 0.1;

/// This share of the time from now to `ends`.
std::chrono::steady_clock::time_point searchEnd(std::chrono::steady_clock::time_point ends,
                                                double share);

/// For a list of cases whose query is planned from now on: all engines that are asked for it end
/// their searches at one time.
Options withOneSearchEnd(Options options);

} // namespace mpf::driver
