// Whether the kernels of a source wait for the launches before them by themselves.
#pragma once

#include <string_view>

namespace mpf {

/// Each of them does. False for texts that somebody else wrote, or that were written before there
/// was such a thing: they must not be started while the launch before them still runs.
inline bool startsByWaiting(std::string_view source) {
  const auto countOf = [source](std::string_view part) {
    size_t count = 0;
    for (size_t at = source.find(part); at != source.npos; at = source.find(part, at + 1))
      ++count;
    return count;
  };
  const size_t kernels = countOf("extern \"C\" __global__ ");
  return kernels > 0 && kernels == countOf("__global__") &&
         kernels == countOf("\n  MPF_GRID_BEGIN();\n");
}

} // namespace mpf
