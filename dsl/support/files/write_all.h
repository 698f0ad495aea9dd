// Writes bytes to a descriptor, all of them.
#pragma once

#include <string_view>

namespace mpf {

/// Writes all bytes. Returns 0, or the errno of the call that failed; some bytes may be written
/// then. Waits if the descriptor is non-blocking, because other programs may share a terminal or
/// pipe and set that.
int writeAll(int descriptor, std::string_view bytes) noexcept;

} // namespace mpf
