// Which way of cpu_operation.h runs an operation of a bundle: the fastest by prediction.
#pragma once

#include "runtime/execute/cpu/cpu_operation.h"

namespace mpf {

/// `logInputs`: the bundle's values are logs, so Plus multiplies the values behind them.
CpuOperation prepareOperation(const BundleOperation &operation, bool logInputs,
                              const TileTarget &target);

} // namespace mpf
