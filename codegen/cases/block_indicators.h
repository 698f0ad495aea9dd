// Computes the entries of the indicators (case_axis.h) for one block of cases.
#pragma once

#include "dsl/support/evidence.h"

#include <cstdint>
#include <vector>

namespace mpf {

/// Returns the indicator of `variable`, which the evidence observes and which has `extent` states,
/// for the cases from `firstCase` on. It is row-major over (case of the block, state). A case that
/// does not observe the variable allows all its states, and so does a place after the last case.
std::vector<double> blockIndicator(const Evidence &evidence, VarId variable, uint32_t extent,
                                   uint64_t firstCase, uint32_t blockCases);

} // namespace mpf
