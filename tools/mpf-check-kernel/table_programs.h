// Programs with which kernels that run any program are checked: levels of several operations, small
// and large ones, in every arithmetic that the kernels have.
#pragma once

#include "codegen/bundle/bundle.h"

#include <vector>

namespace mpf {

/// For one element type; always the same. Of floating point: sums and maxima of products, with an
/// assignment to decode, values whose products need logarithms, of one sign and of both, minima of
/// sums. Of whole numbers: sums of products. Every input has its table.
std::vector<Bundle> tablePrograms(ElementType type);

} // namespace mpf
