// Sums below the guard, formed again: the text behind the stores of a kernel that splits exponents
// (dsl/support/split_exponents.h). Such sums are few, so this is short and slow: each thread goes
// over its own outputs and adds up the terms of those marked +infinity, from global memory, as
// log-sum-exp with a running maximum. No barrier, no shared memory, few registers.
#pragma once

#include "codegen/emit/nest_text.h"

namespace mpf {

/// Stands where `resultAt` points to this thread's outputs and `lost` says whether any is marked.
void writeSumAgain(const Nest &nest, const NestText &text, CodeWriter &out, SiteTable &sites);

} // namespace mpf
