// The share of a command's time (--time-limit) that searches for orders may take.
#pragma once

#include "tools/mpfc/options/options.h"

namespace mpf::driver {

/// The share before a single answer: the rest is for compiling and for the run.
inline constexpr double kOneAnswerShare = 0.5;
/// The share before a list of cases, whose answers come row by row: more time gives more rows.
inline constexpr double kListShare = 0.1;

/// Sets the end of all searches for a query of a list of cases that is planned from now on. All
/// engines that are tried for it share that end.
Options withOneSearchEnd(Options options);

} // namespace mpf::driver
