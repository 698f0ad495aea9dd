// Orders the register loops of the innermost body. Products that vary over fewer axes are formed in
// outer loops, each in one variable, so that few registers hold partial products.
#pragma once

#include "codegen/emit/nest/nest.h"

#include <vector>

namespace mpf {

struct RegisterLoops {
  std::vector<size_t> axes;                     ///< outermost first
  std::vector<size_t> arraySteps;               ///< formed before the loops, in step order
  std::vector<std::vector<size_t>> scalarSteps; ///< [n]: steps formed inside the first n loops
};

/// Orders all steps of the innermost depth except the last one, which is fused with the reduction.
RegisterLoops orderRegisterLoops(const Nest &nest);

} // namespace mpf
