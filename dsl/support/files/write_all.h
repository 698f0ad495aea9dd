// Writes bytes to a descriptor, all of them.
#pragma once

#include <string_view>

namespace mpf {

/// Returns 0, or the errno of the call that failed; some bytes may be written then. Waits where the
/// descriptor is set not to block, as a terminal or pipe may be that other programs share.
int writeAll(int descriptor, std::string_view bytes) noexcept;

} // namespace mpf
