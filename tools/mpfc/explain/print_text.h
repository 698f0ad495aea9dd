// The report for a terminal.
#pragma once

#include "tools/mpfc/explain/facts/explanation.h"

#include <string>

namespace mpf {

std::string explanationText(const Explanation &explanation);

} // namespace mpf
