// Whether the kernels of a source wait for the launches before them by themselves.
#pragma once

#include <string_view>

namespace mpf {

/// False for texts that somebody else wrote, or that were written before there was such a thing:
/// they must not be started while the launch before them still runs.
inline bool startsByWaiting(std::string_view source) {
  return source.find("\n  MPF_GRID_BEGIN();\n") != std::string_view::npos;
}

} // namespace mpf
