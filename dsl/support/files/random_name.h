// Names that nobody can foresee, for what stands where others may put something in the way.
#pragma once

#include <string>

namespace mpf {

/// 16 hexadecimal digits from the system's random numbers. Thread-safe.
std::string randomName();

} // namespace mpf
