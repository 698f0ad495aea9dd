// Result -> a result file of the UAI competitions.
#pragma once

#include "runtime/result/result.h"

#include <string>

namespace mpf::driver {

/// PR for one non-negative number, MAR for marginals, MPE for best assignments: several are several
/// solutions, the best one last, which is the one that counts. Throws Error(Usage) for other
/// kinds of query: the format has no word for them. The result is one that exists: not posteriors
/// or a best assignment of evidence that has probability zero (print_answers.h, lacksAnswer).
std::string uaiResultText(const Result &result);

} // namespace mpf::driver
