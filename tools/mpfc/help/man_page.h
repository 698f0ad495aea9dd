// The manual as a man page, made from the same tables as the help.
#pragma once

#include <string>
#include <string_view>

namespace mpf::driver {

/// Returns the page mpfc(1) in the macros of man(7).
std::string manPage(std::string_view version);

} // namespace mpf::driver
