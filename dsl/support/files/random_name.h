// Unpredictable names, for temporary files in folders where other users can create files.
#pragma once

#include <string>

namespace mpf {

/// Returns 16 hexadecimal digits from the random numbers of the system. Thread-safe.
std::string randomName();

} // namespace mpf
