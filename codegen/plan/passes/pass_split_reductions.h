// Splits long sums with few results into two operations, so that a parallel device has enough work.
//
// A kernel gives every entry of the result to one thread, which adds its terms in a fixed order.
// The marginal of one variable out of a large clique then has two entries and millions of terms.
// Here such an operation first reduces its least significant variables only, which leaves at least
// thousands of partial results, and a second operation reduces those. So kernels need no atomic
// operations, and the order of the additions does not depend on the device.
#pragma once

#include "codegen/plan/program/table_program.h"

namespace mpf {

/// The least addresses of an operation that is split: smaller ones are too small for a parallel
/// device.
inline constexpr uint64_t kSplitAddresses = uint64_t{1} << 20;

/// Splits at whole variables; a sum over a single variable stays as it is, and so do accumulations.
void passSplitReductions(TableProgram &program);

} // namespace mpf
