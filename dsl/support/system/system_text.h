// Reads the small files in which the system describes itself: /proc, /sys, control groups.
#pragma once

#include <string>

namespace mpf {

/// Returns the whole of `path`, at most 16 MiB. Empty if it cannot be opened or read: information
/// that the system does not give is unknown and no error. Throws only std::bad_alloc. Thread-safe.
std::string systemText(const std::string &path);

} // namespace mpf
