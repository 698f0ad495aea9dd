// Splits long sums with few outputs in two, so that a parallel device has enough to do.
//
// A kernel gives every output to one thread and sums its terms in a fixed order; the marginal of
// one variable out of a big clique is then two outputs and millions of terms. Here such an
// operation first reduces its least significant variables only, which leaves thousands of partial
// results, and a second operation reduces those. No atomics, no order that depends on the device:
// the same program gives the same bits everywhere.
#pragma once

#include "codegen/plan/program/table_program.h"

namespace mpf {

/// Operations under this many addresses stay whole: they are no work for a parallel device.
inline constexpr uint64_t kSplitAddresses = uint64_t{1} << 20;

/// Splits at whole variables; a sum over a single huge variable stays as it is.
void passSplitReductions(TableProgram &program);

} // namespace mpf
