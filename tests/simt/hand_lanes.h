// Small lane programs that are written by hand.
#pragma once

#include "codegen/bundle/lanes/lane_program.h"

#include <cstddef>

namespace mpf::simt {

/// Returns a program without columns of cases, over tables of 4 ones. The first message is the
/// product of `operands` of them. The query's results are its entries and, normalised, a posterior.
LaneProgram productOfOnes(size_t operands);

/// Returns a program that sums a message's entries, which other warps have written.
LaneProgram sumOfMessage();

/// Returns a program of x and y, in which cases observe y and pick a row of a table in shared
/// memory.
LaneProgram observedPair();

} // namespace mpf::simt
