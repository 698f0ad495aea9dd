// Prints a count in the format of the model counting competitions, and an assignment in that of
// toulbar2.
#pragma once

#include "dsl/model/model.h"
#include "runtime/result/result.h"
#include "tools/mpfc/options/options.h"

#include <string>

namespace mpf::driver {

/// Whether the format is that of a track of the competitions: mc, wmc, pmc, pwmc.
bool isCountFormat(OutputFormat format);

/// Throws Error(Usage) if the query is no count of this track: another kind of query, a projection
/// where the track has none, weights where it has none.
void requireCount(OutputFormat format, const Model &model, const Query &query);

/// Returns the lines `s SATISFIABLE`, `c s type`, `c s log10-estimate` and `c s exact` (Fichte,
/// Hecher and Hamiti 2021, as of the competition of 2021). A weighted sum of 0 is `s UNKNOWN`: its
/// formula may have models. Counts in whole numbers are exact.
std::string countText(OutputFormat format, const Result &result);

/// Throws Error(Usage) if the query decodes no assignment.
void requireSolution(const Query &query);
/// Returns the states of the best assignment, by the order of variables, with blanks between.
std::string solutionText(const Result &result);

} // namespace mpf::driver
