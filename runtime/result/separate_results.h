// Separates the results of joined queries.
#pragma once

#include "runtime/result/result.h"

#include <vector>

namespace mpf {

/// Returns one result of kind Joint for each query of a result of kind Joints, in their order, or
/// the result itself if it is of another kind. Each repeats what concerns the whole run, but has
/// only the variables of its table and the observed ones, numbered anew.
std::vector<Result> separateResults(Result result);

} // namespace mpf
