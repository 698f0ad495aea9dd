// Wraps texts of help to the width of a screen.
#pragma once

#include <cstddef>
#include <string>
#include <string_view>

namespace mpf::driver {

inline constexpr size_t kHelpWidth = 100; ///< columns of a line of help

/// Returns `text` in lines of at most `width` characters, each with its newline. The first line
/// follows `start`, which is padded to `column`; further lines start at `column`.
std::string textBlock(std::string_view start, size_t column, std::string_view text,
                      size_t width = kHelpWidth);

} // namespace mpf::driver
