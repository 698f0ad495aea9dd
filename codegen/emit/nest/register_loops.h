// The order of the register loops in the innermost body: products that vary over fewer axes are
// formed further out, in one variable, so that few registers hold partial products.
#pragma once

#include "codegen/emit/nest/nest.h"

#include <vector>

namespace mpf {

struct RegisterLoops {
  std::vector<size_t> axes;                     ///< outermost first
  std::vector<size_t> arraySteps;               ///< formed before the loops, in step order
  std::vector<std::vector<size_t>> scalarSteps; ///< per number of loops around, axes.size()+1 lists
};

/// Covers the steps of the innermost depth except the last, which is fused with the reduction.
RegisterLoops orderRegisterLoops(const Nest &nest);

} // namespace mpf
