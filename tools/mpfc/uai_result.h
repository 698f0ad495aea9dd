// Prints a result in the format of the UAI competitions.
#pragma once

#include "runtime/result/result.h"

#include <string>

namespace mpf::driver {

/// Returns PR for one non-negative number, MAR for marginals, MPE for best assignments. Several
/// assignments become several solutions with the best one last, since the last one counts. Throws
/// Error(Usage) for kinds of query that the format does not have. Precondition: not lacksAnswer
/// (print_answers.h).
std::string uaiResultText(const Result &result);

} // namespace mpf::driver
