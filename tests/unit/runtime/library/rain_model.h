// A model of two variables for host programs: one of them is observed.
#pragma once

#include "runtime/api/session.h"

namespace mpf {

constexpr const char *kRain = R"(
  var rain, wet : {no, yes}
  prob P(rain) = [0.8, 0.2]
  prob P(wet | rain) = [[0.9, 0.1], [0.2, 0.8]]
  observe wet = yes
  query evidence
)";

/// Returns log10 of the only value of `result`: 0.24 for kRain, 0.76 with wet = no.
inline double log10Of(const Result &result) { return result.tables.front().at(0).log10(); }

} // namespace mpf
