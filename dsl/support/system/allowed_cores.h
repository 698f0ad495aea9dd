// The cores that the process may run on.
#pragma once

#include <vector>

namespace mpf {

/// Returns the numbers of the cores that the calling thread, and those that it starts, may run on
/// (its affinity), ascending. Empty if the system does not report them. Thread-safe.
std::vector<unsigned> allowedCoreNumbers();

} // namespace mpf
