// The CPU executor for programs of whole numbers: u64 and u128.
#pragma once

#include "runtime/execute/host/host_executor.h"

#include <memory>

namespace mpf {

/// As makeCpuExecutor, for a bundle of a whole type. Its run throws Error(Overflow) with the name
/// of the operation whose result does not fit the type.
std::unique_ptr<HostExecutor> makeIntegerExecutor(const Bundle &bundle, size_t threads);

} // namespace mpf
