// The CPU executor for programs of whole numbers: u64 and u128.
#pragma once

#include "runtime/execute/host/host_executor.h"

#include <memory>

namespace mpf {

/// Does the work of makeCpuExecutor (cpu_executor.h) for a bundle of a whole-number type. run()
/// throws Error(Overflow) with the operation when a result does not fit the type.
std::unique_ptr<HostExecutor> makeIntegerExecutor(const Bundle &bundle, size_t threads,
                                                  const SpreadOptions &spread);

} // namespace mpf
