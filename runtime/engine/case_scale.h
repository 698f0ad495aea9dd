// Scales per case: the entries that a case gives are multiplied by a power of two of its own, so
// that a case whose weights are all tiny, or huge, does not widen the range of the tables that it
// shares with others (codegen/bundle/table_state.h has one scale for a table). Exact, and taken out
// of the answers again.
#pragma once

#include "runtime/result/case_answers.h"

#include <cstdint>
#include <span>

namespace mpf {

/// Multiplies entries by 2^-n, where n is the exponent of the greatest magnitude, so that this
/// becomes at least 1 and less than 2; or less far, where that would take an entry out of the range
/// of normal numbers. Returns n; 0 for entries that are all 0, and not finite ones.
int32_t scaleDown(std::span<double> entries);

/// Multiplies the answer to the case at places[i] by 2^exponents[i], where it is not a fraction of
/// a sum.
void scaleUp(std::span<const int32_t> exponents, std::span<const uint32_t> places,
             CaseAnswers &answers);

} // namespace mpf
