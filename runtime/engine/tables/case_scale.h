// Scales each case separately: the entries that a case gives are multiplied by a power of two, and
// its answers are multiplied by the inverse. Tables have one scale for all cases
// (codegen/bundle/table_state.h). So without it a case with tiny or huge weights would widen the
// range of tables that it shares with others. Scaling is exact.
#pragma once

#include "runtime/result/case_answers.h"

#include <cstdint>
#include <span>

namespace mpf {

/// Multiplies entries by 2^-n and returns n, the exponent of the greatest magnitude, which then is
/// at least 1 and less than 2. Scales less if an entry would otherwise leave the range of normal
/// numbers. Returns 0 if all entries are 0, or if one is not finite.
int32_t scaleDown(std::span<double> entries);

/// Multiplies the answer to the case at places[i] by 2^exponents[i], unless it is a fraction of a
/// sum.
void scaleUp(std::span<const int32_t> exponents, std::span<const uint32_t> places,
             CaseAnswers &answers);

} // namespace mpf
