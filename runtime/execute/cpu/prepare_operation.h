// Prepares an operation of a bundle and chooses the way of cpu_operation.h that is predicted to be
// fastest.
#pragma once

#include "runtime/execute/cpu/cpu_operation.h"

namespace mpf {

/// Prepares an operation. `logInputs`: the bundle's values are logs, so Plus multiplies the
/// original values.
CpuOperation prepareOperation(const BundleOperation &operation, bool logInputs,
                              const TileTarget &target);

} // namespace mpf
