// The report for programs: every figure of the explanation, times in microseconds.
#pragma once

#include "tools/mpfc/explain/facts/explanation.h"

#include <string>

namespace mpf {

/// Returns one object; "queries" is a list. Names that are not UTF-8 get U+FFFD at broken bytes.
std::string explanationJson(const Explanation &explanation);

} // namespace mpf
