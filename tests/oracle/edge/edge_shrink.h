// Shrinks a failing case to the smallest one found that still fails.
#pragma once

#include "tests/oracle/edge/edge_case.h"

#include <functional>

namespace mpf::oracle {

/// Must be true of the given case, and return the same result on every call.
using EdgeFails = std::function<bool(const EdgeCase &)>;

/// Tries to drop runs, options, factors, variables, states, evidence and outputs, and to replace
/// values by simpler ones, over and over until nothing helps or `attempts` cases have been tried.
/// Every case tried is valid: `fails` is never asked about a broken model.
EdgeCase shrinkCase(EdgeCase edge, const EdgeFails &fails, size_t attempts = 4000);

} // namespace mpf::oracle
