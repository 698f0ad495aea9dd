// The widths of strips: the lanes that a core computes at once (runtime/execute/lanes/).
#pragma once

#include <cstddef>

namespace mpf {

/// Bytes of an entry of a message in a strip.
inline constexpr size_t kWideStripBytes = 256, kNarrowStripBytes = 64;

} // namespace mpf
