// Which cores the process may run on.
#pragma once

#include <vector>

namespace mpf {

/// The numbers of the cores that the calling thread, and those that it starts, may run on (its
/// affinity), ascending; empty where the system does not tell. Thread-safe.
std::vector<unsigned> allowedCoreNumbers();

} // namespace mpf
