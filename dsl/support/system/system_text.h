// The small texts by which the system describes itself: /proc, /sys, control groups.
#pragma once

#include <string>

namespace mpf {

/// The whole of `path`, at most 16 MiB; empty when it cannot be opened or any read of it fails:
/// what the system does not say is unknown, never an error. Thread-safe. Throws std::bad_alloc
/// alone.
std::string systemText(const std::string &path);

} // namespace mpf
