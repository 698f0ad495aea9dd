// Programs that check table-driven kernels: levels of several operations, small and large ones, in
// every arithmetic of the kernels.
#pragma once

#include "codegen/bundle/bundle.h"

#include <vector>

namespace mpf {

/// Returns the programs for one element type; they are the same in every call. Every input has a
/// table.
/// - Floating point: sums and maxima of products, with an assignment to decode; minima of sums;
///   values whose products need logarithms, of one sign and of both.
/// - Whole numbers: sums of products.
std::vector<Bundle> tablePrograms(ElementType type);

} // namespace mpf
