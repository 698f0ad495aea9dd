// The page of all commands and options, in Markdown: tools/mpfc/COMMANDS.md.
#pragma once

#include <string>

namespace mpf::driver {

/// Returns the page, which a test compares with the file. Ends with a newline.
std::string commandPage();

} // namespace mpf::driver
